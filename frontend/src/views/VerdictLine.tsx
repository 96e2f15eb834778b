import { plural } from "../base/format";
import type { State } from "../state/state";
import { StatusBadge } from "../widgets/Badge";
import { Sentence } from "../widgets/Sentence";

/** The open run in one sentence. */
export function VerdictLine({ state }: { state: State }) {
  const summary = state.summary.value;
  if (!summary) return null;
  const { layer } = summary;
  return (
    <div class={`verdict status-border-${summary.status}`}>
      <p data-testid="verdict" data-status={summary.status}>
        <StatusBadge status={summary.status} /> <Sentence text={summary.sentence} />
      </p>
      <p class="muted">
        seen up to step {summary.last_step ?? "–"}, {plural(summary.samples, "sample")} of{" "}
        {plural(summary.layers, "layer")}
        {layer !== null && (
          <button type="button" class="link" onClick={() => void state.openLayerPath(layer)}>
            show <code>{layer}</code>
          </button>
        )}
      </p>
      {summary.problem && (
        <p class="notice" role="alert">
          <Sentence text={summary.problem} />
        </p>
      )}
    </div>
  );
}
