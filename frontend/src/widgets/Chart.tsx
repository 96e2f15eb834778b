import { useEffect, useRef, useState } from "preact/hooks";
import { plural } from "../base/format";
import { type ChartContent, LineChart } from "../charts/lineChart";

/** A line chart with its legend; says what a logarithmic scale left out. */
export function Chart({ title, content, theme }: { title: string; content: ChartContent; theme: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<LineChart | null>(null);
  const [dropped, setDropped] = useState(0);
  // The theme changes the colours that are read while drawing.
  useEffect(() => {
    if (!container.current) return;
    chart.current ??= new LineChart(container.current);
    setDropped(chart.current.draw(content));
  }, [content, theme]);
  useEffect(() => () => chart.current?.destroy(), []);
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="legend">
          {content.lines.map((line, index) => (
            <span key={line.label}>
              <i class={`swatch line-${index % 8}`} aria-hidden="true" /> {line.label}
            </span>
          ))}
        </span>
        {dropped > 0 && <small> {plural(dropped, "value")} of zero or below not shown on a log scale</small>}
      </figcaption>
      <div ref={container} role="img" aria-label={title} />
    </figure>
  );
}
