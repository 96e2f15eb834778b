/** Where a type ends: the line that growth is forecast against. */

import type { Horizontal } from "./lineChart";

const LARGEST: Readonly<Record<string, number>> = {
  float16: 65504,
  bfloat16: 3.3895e38,
  float32: 3.4028e38,
};

/** Statistics that are magnitudes, so that they reach the type's end when it overflows. */
const MAGNITUDES: readonly string[] = ["rms", "norm", "max", "abs_max"];

/** How many powers of ten below its end a type's line comes into view. */
const IN_VIEW = 1e20;

/** Lines at the end of each type, where a chart's values come near enough for it to tell something. */
export function typeLimits(
  statistic: string,
  dtypes: readonly string[],
  highest: number,
  logarithmic: boolean,
): Horizontal[] {
  if (!logarithmic || !MAGNITUDES.includes(statistic)) return [];
  return [...new Set(dtypes)].flatMap((dtype) => {
    const value = LARGEST[dtype];
    return value !== undefined && highest * IN_VIEW > value ? [{ value, text: `${dtype} overflows` }] : [];
  });
}
