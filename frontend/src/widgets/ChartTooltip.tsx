import { plural } from "../base/format";
import { SEVERITY_SHAPES } from "../base/status";
import type { ChartContent, Hover, Vertical } from "../charts/lineChart";
import { GLYPHS, type Line, markOf } from "../charts/series";
import { Sentence } from "./Sentence";

const MOST_LINES = 12;

/** The exact numbers at a step, and what the lines across the chart there mean. */
export function ChartTooltip({ content, hover }: { content: ChartContent; hover: Hover }) {
  const { row, verticals, fraction } = hover;
  const side = fraction > 0.5 ? "left" : "right";
  return (
    <div class={`tooltip ${side}`} data-testid="tooltip">
      <b>step {content.steps[row]}</b>
      {content.lines.slice(0, MOST_LINES).map((line, index) => (
        <span key={line.label}>
          <i class={`swatch line-${index % 8}`} aria-hidden="true" /> {line.label}:{" "}
          {reading(line, row, content)}
        </span>
      ))}
      {content.lines.length > MOST_LINES && <small>and {content.lines.length - MOST_LINES} more</small>}
      {verticals.map((vertical) => (
        <span key={`${vertical.kind} ${vertical.x} ${vertical.text}`} class="note">
          <span class={`mark-${vertical.kind}`}>{sign(vertical)}</span> step {vertical.x}:{" "}
          <Sentence text={vertical.text} />
        </span>
      ))}
    </div>
  );
}

function sign({ kind }: Vertical): string {
  if (kind === "onset" || kind === "forecast") return kind;
  return `${SEVERITY_SHAPES[kind]} ${kind}`;
}

function reading(line: Line, row: number, { format }: ChartContent): string {
  const value = line.values[row] ?? Number.NaN;
  const kind = markOf(line, row);
  const count = line.nonfinite?.[row] ?? 0;
  if (kind === "nonfinite") {
    const bad = `${GLYPHS.nonfinite} ${plural(count, "non-finite element")}`;
    return Number.isNaN(value) ? bad : `${format(value)}, ${bad}`;
  }
  if (kind) return `${GLYPHS[kind]} ${format(value)}`;
  return Number.isNaN(value) ? "not known" : format(value);
}
