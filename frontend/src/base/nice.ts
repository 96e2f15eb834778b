/** Whole numbers that people count in (1, 2, 5, 10, 20, …), up to `most`. */
export function niceNumbers(most: number): number[] {
  const out: number[] = [];
  for (let decade = 1; decade <= most; decade *= 10) out.push(decade, 2 * decade, 5 * decade);
  return out.filter((each) => each <= most);
}

/** The smallest of them by which `length` things are counted in at most `parts`. */
export function niceStride(length: number, parts: number): number {
  const least = length / Math.max(parts, 1);
  return niceNumbers(10 * Math.max(least, 1)).find((each) => each >= least) ?? 1;
}
