/** One column of a row-major array. */
export function column(values: Float32Array, columns: number, index: number): Float32Array {
  const out = new Float32Array(columns ? values.length / columns : 0);
  for (let row = 0; row < out.length; row++) out[row] = values[row * columns + index] ?? Number.NaN;
  return out;
}
