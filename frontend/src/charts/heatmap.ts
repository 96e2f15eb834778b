/** Paints statuses, layers × samples, onto a canvas. */

import { statusWord } from "../base/status";
import { worstByColumn } from "./reduce";

export type HeatmapScene = {
  readonly codes: Uint8Array;
  readonly samples: number;
  readonly layers: number;
  /** Heights and offsets in CSS pixels. */
  readonly rowHeight: number;
  readonly scrollTop: number;
};

export type Palette = {
  readonly fills: readonly Rgb[];
  readonly inks: readonly Rgb[];
};
export type Rgb = readonly [number, number, number];

/** Reads colours from the style sheet, so that there is one place for them. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string) => parse(style.getPropertyValue(name));
  const words = [0, 1, 2, 3, 4].map(statusWord);
  return {
    fills: words.map((word) => read(`--status-${word}`)),
    inks: words.map((word) => read(`--ink-${word}`)),
  };
}

export function paintHeatmap(canvas: HTMLCanvasElement, scene: HeatmapScene, palette: Palette): void {
  const context = canvas.getContext("2d");
  const { width, height } = canvas;
  if (!context || width === 0 || height === 0) return;
  context.clearRect(0, 0, width, height);
  if (scene.samples === 0) return;
  const scale = height / (canvas.clientHeight || height);
  const rowHeight = scene.rowHeight * scale;
  const top = scene.scrollTop * scale;
  const first = Math.max(0, Math.floor(top / rowHeight));
  const last = Math.min(scene.layers, Math.ceil((top + height) / rowHeight));
  const codes = worstByColumn(scene.codes, scene.samples, scene.layers, first, last, width);
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const fills = palette.fills.map(packed);
  const inks = palette.inks.map(packed);
  for (let layer = first; layer < last; layer++) {
    const from = Math.max(0, Math.round(layer * rowHeight - top));
    const to = Math.min(height, Math.round((layer + 1) * rowHeight - top) - Math.round(scale));
    for (let y = from; y < to; y++) {
      for (let x = 0; x < width; x++) {
        const code = codes[(layer - first) * width + x] ?? 0;
        pixels[y * width + x] = (isInk(code, x, y, scale) ? inks[code] : fills[code]) ?? 0;
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/** A texture for each status that is bad, so that colour is not the only sign. */
function isInk(code: number, x: number, y: number, scale: number): boolean {
  const [u, v] = [Math.floor(x / scale), Math.floor(y / scale)];
  if (code === 4) return (u + v) % 6 === 0 || (u - v + 6000) % 6 === 0;
  if (code === 3) return (u + v) % 6 === 0;
  if (code === 2) return u % 5 === 0 && v % 5 === 0;
  return false;
}

function packed([red, green, blue]: Rgb): number {
  // Canvas memory is RGBA, and every machine that runs a browser is little-endian.
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

function parse(color: string): Rgb {
  const hex = color.trim().replace("#", "");
  const part = (index: number) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16) || 0;
  return [part(0), part(1), part(2)];
}
