/** Lines over steps. Wraps uPlot, which stays behind this file. */

import uPlot from "uplot";
import { niceNumbers } from "../base/nice";
import { SEVERITY_SHAPES, type SeverityWord } from "../base/status";
import { decades, GLYPHS, type Line, type Mark, padded, prepare } from "./series";

/** A line across the chart at a step. */
export type Vertical = {
  readonly x: number;
  readonly kind: "onset" | "forecast" | SeverityWord;
  readonly text: string;
};

/** A line across the chart at a value. */
export type Horizontal = { readonly value: number; readonly text: string };

/** What the pointer is at: a row of the content, the verticals beside it, and how far right it is (0 to 1). */
export type Hover = {
  readonly row: number;
  readonly verticals: readonly Vertical[];
  readonly fraction: number;
};

export type ChartContent = {
  readonly steps: readonly number[];
  readonly lines: readonly Line[];
  readonly verticals: readonly Vertical[];
  readonly horizontals: readonly Horizontal[];
  readonly logarithmic: boolean;
  readonly height: number;
  readonly format: (value: number | null) => string;
};

const NEAR = 0.3;
const LINE_COLORS = 8;
const TICKS = 6;
const MARK_SPACE = 9;
/** There are no steps between steps. */
const STEP_INCREMENTS = niceNumbers(1e12);
/** Pixels within which the pointer is at a vertical. */
const REACH = 6;
/** Room above the chart for the shapes of alerts, and beside it for half of the last label. */
const PADDING: uPlot.Padding = [16, 14, 0, 0];
const DASHES: Readonly<Record<Vertical["kind"], number[]>> = {
  onset: [6, 4],
  forecast: [2, 3],
  info: [],
  warning: [],
  critical: [],
};

export class LineChart {
  private plot: uPlot | null = null;
  private content: ChartContent | null = null;
  private readonly resized: ResizeObserver;

  constructor(
    private readonly container: HTMLElement,
    private readonly onHover: (hover: Hover | null) => void,
  ) {
    this.resized = new ResizeObserver(() => {
      if (this.content) this.plot?.setSize({ width: this.width(), height: this.content.height });
    });
    this.resized.observe(container);
  }

  /** Draws anew; returns how many values a logarithmic scale had no place for. */
  draw(content: ChartContent): number {
    this.content = content;
    this.plot?.destroy();
    const style = getComputedStyle(this.container);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const drawable = prepare(content.steps, content.lines, content.logarithmic);
    const axis = {
      stroke: color("--text-muted"),
      grid: { stroke: color("--grid"), width: 1 },
      ticks: { stroke: color("--grid"), width: 1, size: 5 },
    };
    const range = widened(
      drawable.range,
      content.horizontals.map((each) => each.value),
    );
    const options: uPlot.Options = {
      width: this.width(),
      height: content.height,
      scales: {
        x: { time: false, range: () => stepRange(content) },
        y: { distr: content.logarithmic ? 3 : 1, range: () => padded(range, content.logarithmic) },
      },
      axes: [
        { ...axis, size: 32, incrs: STEP_INCREMENTS },
        { ...axis, ...valueAxis(content) },
      ],
      padding: PADDING,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false },
      series: [
        {},
        ...content.lines.map((line, index) => ({
          label: line.label,
          stroke: color(`--line-${index % LINE_COLORS}`),
          width: 1.5,
          points: { show: content.steps.length < 60, size: 4 },
          spanGaps: false,
        })),
      ],
      hooks: {
        draw: [(plot) => drawOver(plot, content, drawable.marks, color)],
        setCursor: [(plot) => this.onHover(hoverOf(plot, content))],
      },
    };
    const columns = [content.steps as number[], ...drawable.columns] as uPlot.AlignedData;
    this.plot = new uPlot(options, columns, this.container);
    return drawable.dropped;
  }

  destroy(): void {
    this.resized.disconnect();
    this.plot?.destroy();
  }

  private width(): number {
    return Math.max(this.container.clientWidth, 120);
  }
}

function hoverOf(plot: uPlot, { verticals }: ChartContent): Hover | null {
  const { left = -1, idx } = plot.cursor;
  if (left < 0 || idx === null || idx === undefined) return null;
  const near = verticals.filter(({ x }) => Math.abs(plot.valToPos(x, "x") - left) <= REACH);
  return { row: idx, verticals: near, fraction: left / plot.over.clientWidth };
}

function valueAxis({ logarithmic, format }: ChartContent): uPlot.Axis {
  const shared: uPlot.Axis = {
    size: 64,
    values: (_, ticks) => ticks.map((tick) => format(tick).replace(/\.?0*e/, "e")),
  };
  if (!logarithmic) return shared;
  // uPlot's own ticks on a logarithmic scale either crowd or vanish over many decades.
  const splits: uPlot.Axis.Splits = (_, __, low, high) => decades(low, high, TICKS);
  return { ...shared, space: 0, splits, filter: (_, ticks) => ticks };
}

function stepRange({ steps, verticals }: ChartContent): [number, number] {
  const low = steps[0] ?? 0;
  let high = steps[steps.length - 1] ?? 1;
  const span = Math.max(high - low, 1);
  for (const { x } of verticals) if (x > high && x <= high + NEAR * span) high = x;
  return low < high ? [low, high] : [low - 0.5, low + 0.5];
}

function widened(range: readonly [number, number] | null, values: readonly number[]) {
  if (!range || values.length === 0) return range;
  return [Math.min(range[0], ...values), Math.max(range[1], ...values)] as const;
}

function drawOver(
  plot: uPlot,
  content: ChartContent,
  marks: readonly Mark[],
  color: (name: string) => string,
): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const scale = devicePixelRatio || 1;
  ctx.save();
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  for (const { x, kind } of content.verticals) {
    if (kind === "onset" || kind === "forecast") continue;
    ctx.fillStyle = color(`--mark-${kind}`);
    ctx.fillText(SEVERITY_SHAPES[kind], plot.valToPos(x, "x", true), top - 4 * scale);
  }
  ctx.beginPath();
  ctx.rect(left - 8 * scale, top, width + 16 * scale, height);
  ctx.clip();
  ctx.lineWidth = scale;
  const line = (x0: number, y0: number, x1: number, y1: number, ink: string, dash: number[]) => {
    ctx.setLineDash(dash.map((each) => each * scale));
    ctx.strokeStyle = ink;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    ctx.stroke();
  };
  ctx.textAlign = "left";
  ctx.fillStyle = color("--text-muted");
  for (const { value, text } of content.horizontals) {
    const y = plot.valToPos(value, "y", true);
    line(left, y, left + width, y, color("--text-muted"), [4, 4]);
    // Below the line where there is no room above it.
    ctx.fillText(text, left + 4 * scale, y - top > 14 * scale ? y - 4 * scale : y + 12 * scale);
  }
  ctx.textAlign = "center";
  for (const { x, kind } of content.verticals) {
    const at = plot.valToPos(x, "x", true);
    line(at, top, at, top + height, color(`--mark-${kind}`), DASHES[kind]);
  }
  ctx.setLineDash([]);
  ctx.fillStyle = color("--mark-critical");
  // Marks that would overlap are one mark; the first of a run is always drawn where it is.
  const reached = { top: Number.NEGATIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY };
  for (const { x, kind } of marks) {
    const at = plot.valToPos(x, "x", true);
    const edge = kind === "-inf" ? "bottom" : "top";
    if (at - reached[edge] < MARK_SPACE * scale) continue;
    reached[edge] = at;
    ctx.fillText(GLYPHS[kind], at, edge === "top" ? top + 11 * scale : top + height - 4 * scale);
  }
  ctx.restore();
}
