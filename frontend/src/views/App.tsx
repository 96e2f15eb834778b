import type { State } from "../state/state";
import { Sentence } from "../widgets/Sentence";
import { AlertList } from "./AlertList";
import { EmptyState } from "./EmptyState";
import { Heatmap } from "./Heatmap";
import { LayerPanel } from "./LayerPanel";
import { LossPanel } from "./LossPanel";
import { RunList } from "./RunList";
import { ThresholdTable } from "./ThresholdTable";
import { VerdictLine } from "./VerdictLine";

/** The whole page. */
export function App({ state }: { state: State }) {
  const data = state.data.value;
  return (
    <>
      <header class="top">
        <h1>NaNWatch</h1>
        <button type="button" onClick={() => void state.reload()} disabled={state.loading.value}>
          {state.loading.value ? "Loading…" : "Reload"}
        </button>
      </header>
      {state.error.value && (
        <p class="notice" role="alert">
          <Sentence text={state.error.value} />{" "}
          <button type="button" onClick={() => void state.reload()}>
            Retry
          </button>
        </p>
      )}
      {state.runs.value === null && state.error.value === null && (
        <p class="muted reading" role="status">
          Reading the runs…
        </p>
      )}
      {state.runs.value?.length === 0 && <EmptyState />}
      {(state.runs.value?.length ?? 0) > 0 && (
        <div class="columns">
          <RunList state={state} />
          <main aria-busy={state.run.value !== state.wanted.value}>
            {!data && state.loading.value && (
              <p class="muted reading" role="status">
                Reading the run…
              </p>
            )}
            <VerdictLine state={state} />
            {data && (
              <>
                <Heatmap state={state} data={data} />
                <div class="pair">
                  <LayerPanel state={state} data={data} />
                  <AlertList state={state} data={data} />
                </div>
                <LossPanel state={state} data={data} />
                <ThresholdTable thresholds={data.layout.thresholds} />
              </>
            )}
          </main>
        </div>
      )}
    </>
  );
}
