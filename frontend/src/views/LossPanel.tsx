import { useMemo } from "preact/hooks";
import { formatNumber, formatShare } from "../base/format";
import type { ChartContent } from "../charts/lineChart";
import { fitsLogarithm } from "../charts/series";
import { shareLines } from "../charts/shares";
import type { RunData, State } from "../state/state";
import { Chart } from "../widgets/Chart";
import { Panel } from "../widgets/Panel";
import { ScaleToggle } from "../widgets/ScaleToggle";

const HEIGHT = 190;
const MOST_PENALTIES = 7;

/** The loss at every step, and what share of it regularization takes. */
export function LossPanel({ state, data }: { state: State; data: RunData }) {
  const fits = useMemo(() => fitsLogarithm(data.loss.values), [data]);
  const logarithmic = state.chosenLossScale.value ?? fits;
  const loss = useMemo(() => lossContent(data, logarithmic), [data, logarithmic]);
  const share = useMemo(() => shareContent(data), [data]);
  const penalties = data.penalties.columns - 1;
  return (
    <Panel
      title="Loss and penalties"
      aside={
        <ScaleToggle
          label="loss on a log scale"
          checked={logarithmic}
          onChange={(checked) => {
            state.chosenLossScale.value = checked;
          }}
        />
      }
    >
      <div class="charts wide">
        {data.loss.rows > 0 ? (
          <Chart title="loss at every step" content={loss} theme={state.dark.value} />
        ) : (
          <p class="muted">No loss has been recorded.</p>
        )}
        {share ? (
          <div>
            <Chart title="share of the loss that is penalty" content={share} theme={state.dark.value} />
            {penalties > MOST_PENALTIES && (
              <p class="muted">
                The {MOST_PENALTIES} largest of {penalties} penalties; “all together” holds the rest too.
              </p>
            )}
          </div>
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

function shareContent({ penalties, layout }: RunData): ChartContent | null {
  if (penalties.columns < 2) return null;
  const horizontals = layout.thresholds
    .filter((each) => each.rule === "penalty_share" && each.name === "maximum")
    .map(({ value }) => ({ value, text: `told above ${formatShare(value)}` }));
  const lines = shareLines(penalties, MOST_PENALTIES);
  return { ...plain, steps: penalties.steps, lines, horizontals, format: formatShare };
}

const plain = {
  verticals: [],
  horizontals: [],
  logarithmic: false,
  height: HEIGHT,
  format: formatNumber,
};
