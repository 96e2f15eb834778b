/**
 * Makes series fit to be drawn.
 *
 * uPlot draws NaN and infinity as though nothing were there, and an infinity anywhere, or a NaN first,
 * blanks its scale. So every value that can't be drawn becomes a gap, the range comes from the rest, and
 * the reader gets marks instead.
 */

export type MarkKind = "nan" | "+inf" | "-inf" | "nonfinite";
export type Mark = { readonly x: number; readonly kind: MarkKind };

export type Line = { readonly label: string; readonly values: ArrayLike<number> };

export type Drawable = {
  /** A column of values for each line; null is a gap. */
  readonly columns: (number | null)[][];
  readonly marks: readonly Mark[];
  /** Lowest and highest value drawn; null where there is none. */
  readonly range: readonly [number, number] | null;
  /** Values left out because a logarithmic scale has no place for them. */
  readonly dropped: number;
};

export function prepare(steps: readonly number[], lines: readonly Line[], logarithmic: boolean): Drawable {
  let [low, high, dropped] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const marks = new Map<string, Mark>();
  const columns = lines.map(({ values }) =>
    steps.map((x, row) => {
      const value = values[row] ?? Number.NaN;
      if (!Number.isFinite(value)) {
        const kind = Number.isNaN(value) ? "nan" : value > 0 ? "+inf" : "-inf";
        marks.set(`${kind} ${x}`, { x, kind });
        return null;
      }
      if (logarithmic && value <= 0) {
        dropped += 1;
        return null;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      return value;
    }),
  );
  return { columns, marks: [...marks.values()], range: low <= high ? [low, high] : null, dropped };
}

/** Marks where something was not finite, by counts of such elements. */
export function nonfiniteMarks(steps: readonly number[], counts: readonly ArrayLike<number>[]): Mark[] {
  return steps
    .filter((_, row) => counts.some((each) => (each[row] ?? 0) > 0))
    .map((x) => ({ x, kind: "nonfinite" as const }));
}

/** One column of a row-major array. */
export function column(values: Float32Array, columns: number, index: number): Float32Array {
  const out = new Float32Array(columns ? values.length / columns : 0);
  for (let row = 0; row < out.length; row++) out[row] = values[row * columns + index] ?? Number.NaN;
  return out;
}

/** Powers of ten for the ticks of a logarithmic scale, no more than fit. */
export function decades(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const stride = Math.max(1, Math.ceil((last - first + 1) / most));
  const out: number[] = [];
  for (let exponent = Math.ceil(first / stride) * stride; exponent <= last; exponent += stride) {
    out.push(10 ** exponent);
  }
  return out;
}

/** A range with room around it; whole decades on a logarithmic scale. */
export function padded(range: readonly [number, number] | null, logarithmic: boolean): [number, number] {
  if (!range) return logarithmic ? [0.1, 10] : [-1, 1];
  const [low, high] = range;
  if (logarithmic) {
    const bottom = 10 ** Math.floor(Math.log10(low));
    const top = 10 ** Math.ceil(Math.log10(high));
    return bottom < top ? [bottom, top] : [bottom / 10, top * 10];
  }
  const room = 0.05 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}
