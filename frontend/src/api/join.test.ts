import { expect, test } from "vitest";
import { joinColumns } from "./join";
import type { Floats } from "./types";

const part = (columns: number, steps: number[], ...values: number[]): Floats => ({
  values: new Float32Array(values),
  rows: steps.length,
  columns,
  steps,
  names: [],
});

test("parts stand side by side", () => {
  const whole = joinColumns([part(2, [0, 5], 1, 2, 3, 4), part(1, [0, 5], 8, 9)]);
  expect([...whole.values]).toEqual([1, 2, 8, 3, 4, 9]);
  expect([whole.rows, whole.columns, whole.steps]).toEqual([2, 3, [0, 5]]);
});

test("a row that only a later part has is left out", () => {
  const whole = joinColumns([part(1, [0], 1), part(1, [0, 5], 8, 9)]);
  expect([...whole.values]).toEqual([1, 8]);
  expect(whole.steps).toEqual([0]);
});

test("no parts are an empty array", () => {
  expect(joinColumns([])).toMatchObject({ rows: 0, columns: 0, steps: [] });
});
