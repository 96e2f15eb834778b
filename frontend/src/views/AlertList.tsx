import { plural } from "../base/format";
import type { RunData, State } from "../state/state";
import { SeverityBadge } from "../widgets/Badge";
import { Panel } from "../widgets/Panel";
import { Sentence } from "../widgets/Sentence";

/** What was told, with cause and advice. */
export function AlertList({ state, data }: { state: State; data: RunData }) {
  return (
    <Panel title="Alerts" aside={<span class="muted">{plural(data.alerts.length, "alert")}</span>}>
      {data.alerts.length === 0 && (
        <p class="muted">Nothing was told: no rule has found anything in this run.</p>
      )}
      <ol class="alerts">
        {data.alerts.map((alert, index) => (
          <li
            // Alerts are only ever added at the end, and nothing else tells two of one rule and step apart.
            key={index}
            class={`severity-edge-${alert.severity}`}
            data-testid="alert"
            data-rule={alert.rule}
            data-severity={alert.severity}
            data-step={alert.step}
            data-layer={alert.layer}
          >
            <p>
              <SeverityBadge severity={alert.severity} /> step {alert.step}
              {alert.seen !== alert.step && <span class="muted"> (seen after step {alert.seen})</span>} ·{" "}
              <code>{alert.rule}</code> ·{" "}
              <button type="button" class="link" onClick={() => void state.openLayerPath(alert.layer)}>
                <code>{alert.layer}</code>
              </button>
            </p>
            <p>
              <Sentence text={alert.message} />
            </p>
            <p class="muted">
              {alert.phase} phase
              {alert.onset !== null && alert.onset !== alert.step && ` · began at step ${alert.onset}`}
              {alert.forecast !== null && ` · overflow forecast for step ${alert.forecast}`}
            </p>
            <dl>
              {alert.source !== null && (
                <>
                  <dt>Code</dt>
                  <dd>
                    <code>{alert.source}</code>
                  </dd>
                </>
              )}
              <dt>Cause</dt>
              <dd>
                <Sentence text={alert.cause} />
              </dd>
              <dt>Try</dt>
              <dd>
                <Sentence text={alert.advice} />
              </dd>
            </dl>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
