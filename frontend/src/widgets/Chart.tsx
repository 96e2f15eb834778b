import { useEffect, useRef, useState } from "preact/hooks";
import { elide, plural } from "../base/format";
import { type ChartContent, type Hover, LineChart } from "../charts/lineChart";
import { ChartTooltip } from "./ChartTooltip";

const LONGEST_LABEL = 32;

/** A line chart with its legend; says what a logarithmic scale left out, and what the pointer is at. */
export function Chart({ title, content, theme }: { title: string; content: ChartContent; theme: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<LineChart | null>(null);
  const [dropped, setDropped] = useState(0);
  const [hover, setHover] = useState<Hover | null>(null);
  // The theme changes the colours that are read while drawing.
  useEffect(() => {
    if (!container.current) return;
    chart.current ??= new LineChart(container.current, setHover);
    setDropped(chart.current.draw(content));
    setHover(null);
  }, [content, theme]);
  useEffect(() => () => chart.current?.destroy(), []);
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="legend">
          {content.lines.map((line, index) => (
            <span key={line.label} title={line.label}>
              <i class={`swatch line-${index % 8}`} aria-hidden="true" /> {elide(line.label, LONGEST_LABEL)}
            </span>
          ))}
        </span>
        {dropped > 0 && <small>{plural(dropped, "value")} of zero or below not shown on a log scale</small>}
      </figcaption>
      <div class="plot">
        <div ref={container} role="img" aria-label={title} style={{ height: `${content.height}px` }} />
        {hover && <ChartTooltip content={content} hover={hover} />}
      </div>
    </figure>
  );
}
