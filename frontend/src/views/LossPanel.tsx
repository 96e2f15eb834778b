import { useMemo } from "preact/hooks";
import { formatNumber } from "../base/format";
import type { ChartContent } from "../charts/lineChart";
import { column } from "../charts/series";
import { shares } from "../charts/shares";
import type { RunData, State } from "../state/state";
import { Chart } from "../widgets/Chart";
import { Panel } from "../widgets/Panel";

/** The loss at every step, and what share of it regularization takes. */
export function LossPanel({ state, data }: { state: State; data: RunData }) {
  const logarithmic = state.logarithmic.value;
  const loss = useMemo(() => lossContent(data, logarithmic), [data, logarithmic]);
  const share = useMemo(() => shareContent(data), [data]);
  return (
    <Panel title="Loss and penalties">
      <div class="charts">
        <Chart title="loss at every step" content={loss} theme={state.dark.value} />
        {share ? (
          <Chart title="share of the loss that is penalty" content={share} theme={state.dark.value} />
        ) : (
          <p class="muted" data-testid="no-penalties">
            No variable of this model has a regularizer, so there is no penalty to show.
          </p>
        )}
      </div>
    </Panel>
  );
}

function lossContent(data: RunData, logarithmic: boolean): ChartContent {
  const lines = [{ label: "loss", values: data.loss.values }];
  return { ...plain, steps: data.loss.steps, lines, logarithmic };
}

function shareContent(data: RunData): ChartContent | null {
  const { penalties, layout } = data;
  if (penalties.columns < 2) return null;
  const total = column(penalties.values, penalties.columns, 0);
  const lines = penalties.names.slice(1).map((label, index) => ({
    label,
    values: shares(column(penalties.values, penalties.columns, index + 1), total),
  }));
  const limit = layout.thresholds.find((each) => each.rule === "penalty_share" && each.name === "maximum");
  return { ...plain, steps: penalties.steps, lines, horizontals: limit ? [limit.value] : [] };
}

const plain = {
  marks: [],
  verticals: [],
  horizontals: [],
  logarithmic: false,
  height: 190,
  format: formatNumber,
};
