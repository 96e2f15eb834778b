/** Array responses put together. */

import type { Floats } from "./types";

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
      values.set(part.values.subarray(row * part.columns, (row + 1) * part.columns), row * columns + offset);
    }
    offset += part.columns;
  }
  const names = parts.flatMap((part) => part.names);
  return { values, rows, columns, steps: only?.steps.slice(0, rows) ?? [], names };
}
