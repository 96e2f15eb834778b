import { expect, test } from "vitest";
import { type HeatmapScene, type Palette, paintHeatmap } from "./heatmap";

const [width, height] = [8, 4];
const palette: Palette = {
  fills: [0, 1, 2, 3, 4].map((code) => [code, 0, 0] as const),
  inks: [0, 1, 2, 3, 4].map((code) => [100 + code, 0, 0] as const),
};

/** The red of each pixel, which is the status, or 100 more where the status's texture is. */
function painted(scene: HeatmapScene): number[][] {
  const data = new Uint8ClampedArray(width * height * 4);
  const context = { clearRect: () => {}, createImageData: () => ({ data }), putImageData: () => {} };
  const canvas = { width, height, clientHeight: height, getContext: () => context };
  paintHeatmap(canvas as unknown as HTMLCanvasElement, scene, palette);
  const reds = Array.from({ length: width * height }, (_, pixel) => data[4 * pixel] ?? -1);
  return Array.from({ length: height }, (_, y) => reds.slice(y * width, (y + 1) * width));
}

test("a layer is a row of cells, and what is bad has a texture besides its colour", () => {
  const codes = new Uint8Array([1, 4]);
  const rows = painted({ codes, samples: 2, layers: 1, rowHeight: 4, scrollTop: 0 });
  expect(rows[1]?.slice(0, 4)).toEqual([1, 1, 1, 1]);
  expect(new Set(rows.flatMap((row) => row.slice(4)))).toEqual(new Set([4, 104, 0]));
});

test("only what is scrolled to is painted", () => {
  const codes = new Uint8Array([1, 1, 1, 0, 0, 0]);
  const rows = painted({ codes, samples: 1, layers: 6, rowHeight: 2, scrollTop: 6 });
  expect(rows.flat().every((red) => red === 0)).toBe(true);
});
