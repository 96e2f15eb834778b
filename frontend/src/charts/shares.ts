/** Regularization's share of the loss, fit to be drawn. */

import { column } from "../base/column";
import type { Line } from "./series";

/** At each row the loss, then each penalty. */
export type Penalties = {
  readonly values: Float32Array;
  readonly rows: number;
  readonly columns: number;
  readonly names: readonly string[];
};

/** Each value's share of a total; NaN where the total is no measure: not finite, zero, or negative. */
export function shares(values: Float32Array, total: Float32Array): Float32Array {
  return values.map((value, row) => {
    const whole = total[row] ?? Number.NaN;
    return Number.isFinite(whole) && whole > 0 ? value / whole : Number.NaN;
  });
}

/** All penalties together, where there are several, then the `most` that reach the largest share. */
export function shareLines(penalties: Penalties, most: number): Line[] {
  const total = column(penalties.values, penalties.columns, 0);
  const amounts = penalties.names
    .slice(1)
    .map((label, index) => ({ label, values: column(penalties.values, penalties.columns, index + 1) }));
  const all = new Float32Array(penalties.rows);
  for (const { values } of amounts)
    values.forEach((value, row) => {
      all[row] = (all[row] ?? 0) + value;
    });
  // A loss of zero or below leaves a gap, but isn't bad: only what is not finite is marked.
  const nonfinite = new Uint8Array(penalties.rows).map((_, row) =>
    Number.isFinite(total[row]) && Number.isFinite(all[row]) ? 0 : 1,
  );
  const lines = amounts.map(({ label, values }) => ({ label, values: shares(values, total), nonfinite }));
  const largest = lines
    .map((line) => ({ line, peak: peak(line.values) }))
    .sort((a, b) => b.peak - a.peak)
    .slice(0, most)
    .map(({ line }) => line);
  return lines.length > 1
    ? [{ label: "all together", values: shares(all, total), nonfinite }, ...largest]
    : lines;
}

function peak(values: Float32Array): number {
  // Math.max alone would be NaN as soon as one of them is.
  return values.reduce((highest, value) => Math.max(highest, value || 0), 0);
}
