import { expect, test } from "vitest";
import { column, decades, nonfiniteMarks, padded, prepare } from "./series";

const steps = [0, 1, 2, 3];

test.each([
  [Number.NaN, "nan"],
  [Number.POSITIVE_INFINITY, "+inf"],
  [Number.NEGATIVE_INFINITY, "-inf"],
])("%s becomes a gap with a mark, wherever it stands", (bad, kind) => {
  for (const place of [0, 2, 3]) {
    const values = [1, 2, 3, 4];
    values[place] = bad;
    const drawable = prepare(steps, [{ label: "a", values }], false);
    expect(drawable.columns[0]?.[place]).toBeNull();
    expect(drawable.marks).toEqual([{ x: place, kind }]);
    expect(drawable.range?.every(Number.isFinite)).toBe(true);
  }
});

test("the range is of what is drawn, over all lines", () => {
  const lines = [
    { label: "a", values: [1, Number.POSITIVE_INFINITY, 3, 2] },
    { label: "b", values: [-5, 0, 0, 0] },
  ];
  expect(prepare(steps, lines, false).range).toEqual([-5, 3]);
});

test("a logarithmic scale has no place for zero and below, and says how many", () => {
  const drawable = prepare(steps, [{ label: "a", values: [0, -1, 10, 100] }], true);
  expect(drawable.columns[0]).toEqual([null, null, 10, 100]);
  expect(drawable.dropped).toBe(2);
});

test("nothing to draw has no range", () => {
  expect(prepare([0], [{ label: "a", values: [Number.NaN] }], false).range).toBeNull();
  expect(padded(null, true).every(Number.isFinite)).toBe(true);
});

test("a step with a bad element in any site is marked once", () => {
  const marks = nonfiniteMarks(steps, [
    [0, 0, 2, 1],
    [0, 0, 1, 0],
  ]);
  expect(marks).toEqual([
    { x: 2, kind: "nonfinite" },
    { x: 3, kind: "nonfinite" },
  ]);
});

test("a column of a row-major array", () => {
  expect([...column(new Float32Array([1, 2, 3, 4, 5, 6]), 3, 1)]).toEqual([2, 5]);
});

test("a logarithmic axis has ticks at powers of ten, no more than fit", () => {
  expect(decades(0.1, 100, 6)).toEqual([0.1, 1, 10, 100]);
  const many = decades(1e-10, 1e38, 6);
  expect(many.length).toBeLessThanOrEqual(6);
  expect(many.length).toBeGreaterThan(2);
});

test("a constant line has room around it", () => {
  expect(padded([3, 3], false)[0]).toBeLessThan(3);
  expect(padded([10, 10], true)).toEqual([1, 100]);
});
