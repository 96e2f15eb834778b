import { useMemo } from "preact/hooks";
import type { Alert, Site } from "../api/types";
import { column } from "../base/column";
import { formatNumber } from "../base/format";
import { SEVERITY_SHAPES } from "../base/status";
import { typeLimits } from "../charts/limits";
import type { ChartContent, Vertical } from "../charts/lineChart";
import { GLYPHS } from "../charts/series";
import { type LayerData, MOST_SITES, type RunData, type State } from "../state/state";
import { Chart } from "../widgets/Chart";
import { Panel } from "../widgets/Panel";
import { ScaleToggle } from "../widgets/ScaleToggle";

const HEIGHT = 180;
const SEVERITIES = ["info", "warning", "critical"] as const;
const KINDS = ["input", "output", "output_gradient", "gradient", "weight", "penalty", "loss"] as const;

/** The picked layer's statistics over steps, one chart for each kind of site. */
export function LayerPanel({ state, data }: { state: State; data: RunData }) {
  const layer = data.layout.layers[state.layer.value ?? -1];
  const layerData = state.layerData.value;
  const logarithmic = state.logarithmic.value;
  const shown = layerData?.layer === state.layer.value ? layerData : null;
  const charts = useMemo(() => (shown ? contents(data, shown, logarithmic) : []), [data, shown, logarithmic]);
  if (!layer) return null;
  return (
    <Panel title={`Layer ${layer.path}`} aside={<Controls state={state} data={data} />}>
      <p class="muted">
        {layer.type}
        {layer.type && " · "}
        {layer.sites
          .map((index) => data.layout.sites[index])
          .filter((site) => site?.kind === "weight")
          .map((site) => `${site?.name} ${site?.shape.join("×")} ${site?.dtype}`)
          .join(", ")}
      </p>
      {layer.sites.length > MOST_SITES && (
        <p class="muted">
          The first {MOST_SITES} of {layer.sites.length} measured places.
        </p>
      )}
      {layer.sites.length === 0 && <p class="muted">Nothing of this layer itself is measured.</p>}
      {layer.sites.length > 0 && !shown && <p class="muted reading">Reading…</p>}
      <div class="charts">
        {charts.map(({ kind, content }) => (
          <Chart
            key={kind}
            title={`${shown?.statistic} of ${kind.replace("_", " ")}`}
            content={content}
            theme={state.dark.value}
          />
        ))}
      </div>
      <Key />
    </Panel>
  );
}

function Key() {
  return (
    <ul class="key" aria-label="Marks in the charts">
      <li>above the line of its step:</li>
      {SEVERITIES.map((severity) => (
        <li key={severity} class={`mark-${severity}`}>
          {SEVERITY_SHAPES[severity]} {severity}
        </li>
      ))}
      <li class="mark-onset">┆ onset</li>
      <li class="mark-forecast">⋮ forecast of overflow</li>
      <li>inside:</li>
      <li class="mark-critical">{GLYPHS.nonfinite} NaN or other elements not finite</li>
      <li class="mark-critical">{GLYPHS["+inf"]} +∞</li>
      <li class="mark-critical">{GLYPHS["-inf"]} −∞</li>
    </ul>
  );
}

function Controls({ state, data }: { state: State; data: RunData }) {
  return (
    <span class="controls">
      <label>
        Statistic{" "}
        <select
          data-testid="statistic"
          value={state.statistic.value}
          onChange={(event) => void state.chooseStatistic(event.currentTarget.value)}
        >
          {data.layout.statistics.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <ScaleToggle
        label="log scale"
        checked={state.logarithmic.value}
        onChange={(checked) => {
          state.chosenScale.value = checked;
        }}
      />
    </span>
  );
}

function contents(
  data: RunData,
  shown: LayerData,
  logarithmic: boolean,
): { kind: string; content: ChartContent }[] {
  const { values, nonfinite } = shown;
  const layer = data.layout.layers[shown.layer];
  const sites = (layer?.sites ?? []).slice(0, values.columns).map((index) => data.layout.sites[index]);
  const verticals = verticalsOf(data.alerts.filter((alert) => alert.layer === layer?.path));
  const of = (kind: string) => sites.flatMap((site, index) => (site?.kind === kind ? [{ site, index }] : []));
  return KINDS.filter((kind) => of(kind).length > 0).map((kind) => {
    const lines = of(kind).map(({ site, index }) => ({
      label: labelOf(site),
      values: column(values.values, values.columns, index),
      nonfinite: column(nonfinite.values, nonfinite.columns, index),
    }));
    const dtypes = of(kind).map(({ site }) => site.dtype);
    const horizontals = typeLimits(shown.statistic, dtypes, highest(lines), logarithmic);
    const shared = { steps: values.steps, verticals, logarithmic, height: HEIGHT, format: formatNumber };
    return { kind, content: { ...shared, lines, horizontals } };
  });
}

function highest(lines: readonly { values: Float32Array }[]): number {
  return lines.reduce((top, { values }) => values.reduce((a, b) => (b > a && b < Infinity ? b : a), top), 0);
}

function labelOf(site: Site): string {
  return site.name || site.kind;
}

function verticalsOf(alerts: readonly Alert[]): Vertical[] {
  return alerts.flatMap(({ step, severity, message, rule, onset, forecast }) => [
    ...(onset !== null && onset !== step
      ? [{ x: onset, kind: "onset" as const, text: `where the trend behind \`${rule}\` began` }]
      : []),
    ...(forecast !== null
      ? [{ x: forecast, kind: "forecast" as const, text: `the type overflows here if \`${rule}\` is right` }]
      : []),
    { x: step, kind: severity, text: message },
  ]);
}
