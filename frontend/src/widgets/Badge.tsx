import { SEVERITY_SHAPES, type SeverityWord, STATUS_SHAPES, type StatusWord } from "../base/status";

/** A status as word, shape and colour. */
export function StatusBadge({ status }: { status: StatusWord }) {
  return (
    <span class={`badge status-${status}`}>
      <span aria-hidden="true">{STATUS_SHAPES[status]}</span> {status}
    </span>
  );
}

/** A severity as word, shape and colour. */
export function SeverityBadge({ severity }: { severity: SeverityWord }) {
  return (
    <span class={`badge severity-${severity}`}>
      <span aria-hidden="true">{SEVERITY_SHAPES[severity]}</span> {severity}
    </span>
  );
}
