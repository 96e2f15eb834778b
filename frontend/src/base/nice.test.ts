import { expect, test } from "vitest";
import { niceNumbers, niceStride } from "./nice";

test("people count in ones, twos and fives", () => {
  expect(niceNumbers(60)).toEqual([1, 2, 5, 10, 20, 50]);
});

test.each([
  [2000, 12, 200],
  [10, 6, 2],
  [3, 12, 1],
  [1, 1, 1],
  [0, 0, 1],
])("%d things in at most %d parts are counted by %d", (length, parts, stride) => {
  expect(niceStride(length, parts)).toBe(stride);
});
