import { expect, test } from "vitest";
import { column } from "./column";

test("a column of a row-major array", () => {
  expect([...column(new Float32Array([1, 2, 3, 4, 5, 6]), 3, 1)]).toEqual([2, 5]);
});
