/** Each value's share of a total; NaN where the total is no measure: not finite, zero, or negative. */
export function shares(values: Float32Array, total: Float32Array): Float32Array {
  return values.map((value, row) => {
    const whole = total[row] ?? Number.NaN;
    return Number.isFinite(whole) && whole > 0 ? value / whole : Number.NaN;
  });
}
