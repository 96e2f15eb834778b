import { describe, expect, test } from "vitest";
import { decades, fitsLogarithm, padded, prepare } from "./series";

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

describe("counts of elements that are not finite", () => {
  const bad = Number.NaN;

  test("mark a step once, also where the statistic of the others is finite", () => {
    const lines = [
      { label: "a", values: [1, 1, 1, bad], nonfinite: [0, 0, 2, 9] },
      { label: "b", values: [1, 1, 1, 1], nonfinite: [0, 0, 1, 0] },
    ];
    expect(prepare(steps, lines, false).marks).toEqual([
      { x: 2, kind: "nonfinite" },
      { x: 3, kind: "nonfinite" },
    ]);
  });

  test("leave what was not measured a gap without a mark", () => {
    const lines = [{ label: "a", values: [bad, 1, bad, 1], nonfinite: [bad, 0, 0, 0] }];
    const drawable = prepare(steps, lines, false);
    expect(drawable.marks).toEqual([]);
    expect(drawable.columns[0]).toEqual([null, 1, null, 1]);
  });

  test("don't hide a statistic that overflowed by itself", () => {
    const lines = [{ label: "a", values: [1, Number.POSITIVE_INFINITY, 1, 1], nonfinite: [0, 0, 0, 0] }];
    expect(prepare(steps, lines, false).marks).toEqual([{ x: 1, kind: "+inf" }]);
  });
});

test("a logarithm fits what is positive wherever it is finite", () => {
  expect(fitsLogarithm(new Float32Array([1, Number.NaN, Number.POSITIVE_INFINITY]))).toBe(true);
  expect(fitsLogarithm(new Float32Array([1, 0]))).toBe(false);
  expect(fitsLogarithm(new Float32Array([1, -1]))).toBe(false);
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
