import { expect, test } from "vitest";
import { prepare } from "./series";
import { type Penalties, shareLines, shares } from "./shares";

const [bad, steps] = [Number.NaN, [0, 1, 2]];

function penalties(names: string[], ...values: number[]): Penalties {
  const columns = names.length + 1;
  return {
    values: new Float32Array(values),
    rows: values.length / columns,
    columns,
    names: ["loss", ...names],
  };
}

test("a share is known only of a loss that is finite and positive", () => {
  const total = new Float32Array([4, 0, -1, Number.NaN, Number.POSITIVE_INFINITY]);
  const [first, ...others] = shares(new Float32Array([1, 1, 1, 1, 1]), total);
  expect(first).toBe(0.25);
  expect(others.every(Number.isNaN)).toBe(true);
});

test("several penalties are shown together first, then the largest ones", () => {
  const rows = [...[4, 1, 0.5, 2], ...[4, 1, 0.5, 2], ...[4, 1, 0.5, 2]];
  const lines = shareLines(penalties(["a", "b", "c"], ...rows), 2);
  expect(lines.map((line) => [line.label, line.values[0]])).toEqual([
    ["all together", 0.875],
    ["c", 0.5],
    ["a", 0.25],
  ]);
});

test("a single penalty is itself all there is", () => {
  expect(shareLines(penalties(["a"], 4, 1), 8).map((line) => line.label)).toEqual(["a"]);
});

test("a loss below zero is a gap, and only one that isn't finite is marked", () => {
  const drawable = prepare(steps, shareLines(penalties(["a"], -1, 1, bad, 1, 4, 1), 8), false);
  expect(drawable.columns[0]).toEqual([null, null, 0.25]);
  expect(drawable.marks).toEqual([{ x: 1, kind: "nonfinite" }]);
});
