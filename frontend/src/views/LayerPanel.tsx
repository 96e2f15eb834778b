import { useMemo } from "preact/hooks";
import type { Alert, Site } from "../api/types";
import { formatNumber } from "../base/format";
import type { ChartContent, Vertical } from "../charts/lineChart";
import { column, nonfiniteMarks } from "../charts/series";
import type { LayerData, RunData, State } from "../state/state";
import { Chart } from "../widgets/Chart";
import { Panel } from "../widgets/Panel";

const KINDS = ["input", "output", "gradient", "weight", "penalty", "loss"] as const;

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
      <div class="charts">
        {charts.map(({ kind, content }) => (
          <Chart
            key={kind}
            title={`${shown?.statistic} of ${kind}`}
            content={content}
            theme={state.dark.value}
          />
        ))}
      </div>
      <p class="key">
        <span class="mark-critical">│ critical</span> <span class="mark-warning">│ warning</span>{" "}
        <span class="mark-onset">┆ onset</span> <span class="mark-forecast">⋮ forecast of overflow</span>{" "}
        <span class="mark-critical">✖ NaN or non-finite, ▲ +∞, ▼ −∞</span>
      </p>
    </Panel>
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
      <label>
        <input
          type="checkbox"
          checked={state.logarithmic.value}
          onChange={(event) => {
            state.logarithmic.value = event.currentTarget.checked;
          }}
        />{" "}
        log scale
      </label>
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
  return KINDS.filter((kind) => of(kind).length > 0).map((kind) => ({
    kind,
    content: {
      steps: values.steps,
      lines: of(kind).map(({ site, index }) => ({
        label: labelOf(site),
        values: column(values.values, values.columns, index),
      })),
      marks: nonfiniteMarks(
        nonfinite.steps,
        of(kind).map(({ index }) => column(nonfinite.values, nonfinite.columns, index)),
      ),
      verticals,
      horizontals: [],
      logarithmic,
      height: 190,
      format: formatNumber,
    },
  }));
}

function labelOf(site: Site): string {
  return site.name || site.kind;
}

function verticalsOf(alerts: readonly Alert[]): Vertical[] {
  return alerts.flatMap((alert) => [
    { x: alert.step, kind: alert.severity },
    ...(alert.onset !== null && alert.onset !== alert.step
      ? [{ x: alert.onset, kind: "onset" as const }]
      : []),
    ...(alert.forecast !== null ? [{ x: alert.forecast, kind: "forecast" as const }] : []),
  ]);
}
