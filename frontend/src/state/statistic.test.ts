import { expect, test } from "vitest";
import type { Layout, Site, SiteKind } from "../api/types";
import { defaultStatistic, isMagnitude } from "./statistic";

function layoutOf(...kinds: SiteKind[]): Layout {
  const sites = kinds.map((kind): Site => ({ layer: 0, kind, name: "", dtype: "float32", shape: [] }));
  const layers = [{ path: "a", type: "", sites: kinds.map((_, index) => index) }];
  return { run: "run", statistics: [], layers, sites, thresholds: [] };
}

test("a loss is shown by its mean, a layer by its size", () => {
  expect(defaultStatistic(layoutOf("loss"), 0)).toBe("mean");
  expect(defaultStatistic(layoutOf("output", "penalty"), 0)).toBe("rms");
  expect(defaultStatistic(layoutOf(), 0)).toBe("rms");
});

test("magnitudes are shown on a logarithmic scale", () => {
  expect(["rms", "norm", "abs_max", "std"].every(isMagnitude)).toBe(true);
  expect(["mean", "min", "max", "zero_fraction", "nonfinite_count"].some(isMagnitude)).toBe(false);
});
