import { plural } from "../base/format";
import type { State } from "../state/state";
import { StatusBadge } from "../widgets/Badge";

const FILTER_FROM = 6;

/** The runs, the worst first. */
export function RunList({ state }: { state: State }) {
  const runs = state.shownRuns.value;
  return (
    <nav class="runs" aria-label="Runs">
      {(state.runs.value?.length ?? 0) >= FILTER_FROM && (
        <input
          type="search"
          aria-label="Filter runs by regular expression"
          aria-invalid={!state.filterIsValid.value}
          placeholder="Filter runs (regular expression)"
          value={state.filter.value}
          onInput={(event) => {
            state.filter.value = event.currentTarget.value;
          }}
        />
      )}
      {runs.length === 0 && <p class="muted">No run matches the filter.</p>}
      <ul>
        {runs.map((run) => (
          <li key={run.run}>
            <button
              type="button"
              data-testid="run"
              data-run={run.run}
              aria-current={run.run === state.wanted.value}
              onClick={() => void state.openRun(run.run)}
            >
              <StatusBadge status={run.status} />
              <span class="name">{run.run}</span>
              <small>
                {run.last_step === null ? "no steps" : `step ${run.last_step}`} ·{" "}
                {plural(run.samples, "sample")} · {plural(run.alerts, "alert")}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
