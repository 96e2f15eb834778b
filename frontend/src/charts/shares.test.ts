import { expect, test } from "vitest";
import { shares } from "./shares";

test("a share is known only of a loss that is finite and positive", () => {
  const total = new Float32Array([4, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]);
  const [first, ...others] = shares(new Float32Array([1, 1, 1, 1, 1]), total);
  expect(first).toBe(0.25);
  expect(others.every(Number.isNaN)).toBe(true);
});
