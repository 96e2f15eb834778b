/** Array responses put together, and taken apart. */

import type { Floats } from "./types";

/** One column of a row-major array. */
export function column(values: Float32Array, columns: number, index: number): Float32Array {
  const out = new Float32Array(columns ? values.length / columns : 0);
  for (let row = 0; row < out.length; row++) out[row] = values[row * columns + index] ?? Number.NaN;
  return out;
}

/**
 * Answers to parts of one question, side by side.
 *
 * A training that goes on between two answers adds rows to the later one: the rows that all have count.
 */
export function joinColumns(parts: readonly Floats[]): Floats {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const rows = parts.length ? Math.min(...parts.map((part) => part.rows)) : 0;
  const columns = parts.reduce((sum, part) => sum + part.columns, 0);
  const values = new Float32Array(rows * columns);
  let offset = 0;
  for (const part of parts) {
    for (let row = 0; row < rows; row++) {
      values.set(
        part.values.subarray(row * part.columns, (row + 1) * part.columns),
        row * columns + offset,
      );
    }
    offset += part.columns;
  }
  const names = parts.flatMap((part) => part.names);
  return { values, rows, columns, steps: only?.steps.slice(0, rows) ?? [], names };
}
