/**
 * Makes series fit to be drawn.
 *
 * uPlot draws NaN and infinity as though nothing were there, and an infinity anywhere, or a NaN first,
 * blanks its scale. So every value that can't be drawn becomes a gap, the range comes from the rest, and
 * the reader gets marks instead.
 */

export type MarkKind = "nan" | "+inf" | "-inf" | "nonfinite";

/** What each kind is drawn as: `+inf` and the like at the chart's upper edge, `-inf` at its lower. */
export const GLYPHS: Readonly<Record<MarkKind, string>> = {
  nan: "✖",
  "+inf": "▲",
  "-inf": "▼",
  nonfinite: "✖",
};

export type Mark = { readonly x: number; readonly kind: MarkKind };

export type Line = {
  readonly label: string;
  readonly values: ArrayLike<number>;
  /**
   * How many elements behind each value were not finite. Where it is given it alone tells what is bad:
   * a NaN without such elements was not measured, which is a gap and no news.
   */
  readonly nonfinite?: ArrayLike<number>;
};

export type Drawable = {
  /** A column of values for each line; null is a gap. */
  readonly columns: (number | null)[][];
  /** In the order of the steps, each kind once for a step. */
  readonly marks: readonly Mark[];
  /** Lowest and highest value drawn; null where there is none. */
  readonly range: readonly [number, number] | null;
  /** Values left out because a logarithmic scale has no place for them. */
  readonly dropped: number;
};

export function prepare(steps: readonly number[], lines: readonly Line[], logarithmic: boolean): Drawable {
  let [low, high, dropped] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const marks: Mark[] = [];
  const columns = lines.map(() => new Array<number | null>(steps.length).fill(null));
  steps.forEach((x, row) => {
    const firstOfStep = marks.length;
    lines.forEach((line, index) => {
      const value = line.values[row] ?? Number.NaN;
      const kind = markOf(line, row);
      if (kind && !marks.slice(firstOfStep).some((each) => each.kind === kind)) marks.push({ x, kind });
      if (!Number.isFinite(value)) return;
      if (logarithmic && value <= 0) {
        dropped += 1;
        return;
      }
      low = Math.min(low, value);
      high = Math.max(high, value);
      const values = columns[index];
      if (values) values[row] = value;
    });
  });
  return { columns, marks, range: low <= high ? [low, high] : null, dropped };
}

/** What a row of a line is marked with, if it is bad. */
export function markOf({ values, nonfinite }: Line, row: number): MarkKind | null {
  const value = values[row] ?? Number.NaN;
  if (value === Number.POSITIVE_INFINITY) return "+inf";
  if (value === Number.NEGATIVE_INFINITY) return "-inf";
  if (nonfinite) return (nonfinite[row] ?? 0) > 0 ? "nonfinite" : null;
  return Number.isNaN(value) ? "nan" : null;
}

/** Whether a logarithmic scale has a place for all that is finite. */
export function fitsLogarithm(values: Float32Array): boolean {
  return values.every((value) => value > 0 || !Number.isFinite(value));
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
