import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Layer } from "../api/types";
import { elide } from "../base/format";
import { STATUS_SHAPES, statusWord } from "../base/status";
import { paintHeatmap, readPalette } from "../charts/heatmap";
import { sampleAt, worstByLayer } from "../charts/reduce";
import type { Cursor, RunData, State } from "../state/state";
import { Panel } from "../widgets/Panel";
import { StatusLegend } from "./StatusLegend";
import { StepAxis } from "./StepAxis";

const TALLEST = 420;
const [SMALLEST_ROW, LARGEST_ROW] = [16, 30];
const PAGE = 10;
const LONGEST_LABEL = 29;

/** Layers × steps, coloured by status. */
export function Heatmap({ state, data }: { state: State; data: RunData }) {
  const layers = data.layout.layers;
  const { values: codes, rows: samples, steps } = data.statuses;
  const rowHeight = Math.max(
    SMALLEST_ROW,
    Math.min(LARGEST_ROW, Math.floor(TALLEST / Math.max(layers.length, 1))),
  );
  const worst = useMemo(() => worstByLayer(codes, samples, layers.length), [codes, samples, layers.length]);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [cursor, picked, dark] = [state.cursor.value, state.layer.value, state.dark.value];

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const ratio = devicePixelRatio || 1;
    element.width = Math.round(element.clientWidth * ratio);
    element.height = Math.round(element.clientHeight * ratio);
    const scene = { codes, samples, layers: layers.length, rowHeight, scrollTop };
    const frame = requestAnimationFrame(() => paintHeatmap(element, scene, readPalette(element)));
    return () => cancelAnimationFrame(frame);
  }, [codes, samples, layers.length, rowHeight, scrollTop, dark, size]);

  const at = (event: MouseEvent): Cursor | null => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || samples === 0) return null;
    const layer = Math.floor((event.clientY - box.top + scrollTop) / rowHeight);
    return layer < layers.length
      ? { layer, sample: sampleAt((event.clientX - box.left) / box.width, samples) }
      : null;
  };
  const reveal = (layer: number) => {
    const box = scroller.current;
    if (!box) return;
    const [above, below] = [layer * rowHeight, (layer + 1) * rowHeight - box.clientHeight];
    if (box.scrollTop > above) box.scrollTop = above;
    else if (box.scrollTop < below) box.scrollTop = below;
  };
  useEffect(() => {
    const box = scroller.current;
    if (picked === null || !box) return;
    const middle = (picked + 0.5) * rowHeight - box.clientHeight / 2;
    const hidden =
      picked * rowHeight < box.scrollTop || (picked + 1) * rowHeight > box.scrollTop + box.clientHeight;
    if (hidden) box.scrollTop = middle;
  }, [picked, data.layout.run]);
  const move = (layers_: number, samples_: number) => {
    const from = cursor ?? { layer: picked ?? 0, sample: samples - 1 };
    const next = {
      layer: Math.max(0, Math.min(layers.length - 1, from.layer + layers_)),
      sample: Math.max(0, Math.min(samples - 1, from.sample + samples_)),
    };
    state.cursor.value = next;
    reveal(next.layer);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, [number, number]> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -samples],
      End: [0, samples],
      PageUp: [-PAGE, 0],
      PageDown: [PAGE, 0],
    };
    const step = moves[event.key];
    if (step && samples > 0) move(...step);
    else if (event.key === "Enter" && cursor) void state.openLayer(cursor.layer);
    else return;
    event.preventDefault();
  };

  // The same nodes again while only the cursor moves: hundreds of rows needn't be compared for it.
  const rows = useMemo(
    () => <Rows state={state} layers={layers} worst={worst} picked={picked} rowHeight={rowHeight} />,
    [state, layers, worst, picked, rowHeight],
  );

  return (
    <Panel title="Layers over steps" aside={<StatusLegend />}>
      <div class="heatmap" ref={scroller} onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}>
        <div class="rows" style={{ height: `${rowHeight * layers.length}px` }}>
          {rows}
          <div
            class="cells"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor in it
            tabIndex={0}
            role="application"
            aria-label="Heatmap: arrow keys move, Enter opens the layer"
            onKeyDown={onKeyDown}
          >
            <canvas
              ref={canvas}
              data-testid="heatmap"
              style={{ height: `${Math.min(rowHeight * layers.length, TALLEST)}px` }}
              onMouseMove={(event) => {
                state.cursor.value = at(event);
              }}
              onMouseLeave={() => {
                state.cursor.value = null;
              }}
              onClick={(event) => {
                const place = at(event);
                if (place) void state.openLayer(place.layer);
              }}
            />
            {picked !== null && (
              <div class="frame" style={{ top: `${picked * rowHeight}px`, height: `${rowHeight}px` }} />
            )}
            {cursor && <Crosshair cursor={cursor} cell={size.width / samples} rowHeight={rowHeight} />}
          </div>
        </div>
      </div>
      <StepAxis steps={steps} width={size.width} />
      <p class="readout" aria-live="polite" data-testid="readout">
        {cursor ? describe(data, cursor) : "Point at a cell, or focus the heatmap and use the arrow keys."}
      </p>
    </Panel>
  );
}

function describe(data: RunData, { layer, sample }: Cursor): string {
  const { values, columns, steps } = data.statuses;
  const word = statusWord(values[sample * columns + layer] ?? 0);
  return `${data.layout.layers[layer]?.path ?? ""}, step ${steps[sample] ?? "–"}: ${word}`;
}

type RowsProps = {
  state: State;
  layers: readonly Layer[];
  worst: Uint8Array;
  picked: number | null;
  rowHeight: number;
};

function Rows({ state, layers, worst, picked, rowHeight }: RowsProps) {
  return (
    <ol>
      {layers.map((layer, index) => {
        const status = statusWord(worst[index] ?? 0);
        return (
          <li key={layer.path}>
            <button
              type="button"
              class={`row status-edge-${status}`}
              style={{ height: `${rowHeight}px` }}
              title={`${layer.path}${layer.type ? ` (${layer.type})` : ""}: ${status}`}
              data-testid="layer-row"
              data-layer={layer.path}
              data-status={status}
              aria-pressed={index === picked}
              onClick={() => void state.openLayer(index)}
            >
              <span class={`shape ink-${status}`} aria-hidden="true">
                {STATUS_SHAPES[status]}
              </span>
              {elide(layer.path, LONGEST_LABEL)}
              <span class="visually-hidden"> {status}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Crosshair(props: { cursor: Cursor; cell: number; rowHeight: number }) {
  const { cursor, cell, rowHeight } = props;
  // Whole pixels, as the canvas below has them; a browser smears what lies between.
  const from = Math.round(cursor.sample * cell);
  const [left, width] = [`${from}px`, `${Math.round((cursor.sample + 1) * cell) - from}px`];
  const [top, height] = [`${cursor.layer * rowHeight}px`, `${rowHeight}px`];
  return (
    <>
      <div class="crosshair" style={{ left }} />
      <div class="crosshair cell" style={{ left, width, top, height }} />
    </>
  );
}
