import { spans } from "../base/format";

/** A sentence in which backticks mark names. Names come from logs: they reach the page as text alone. */
export function Sentence({ text }: { text: string }) {
  return <>{spans(text).map((span) => (span.code ? <code>{span.text}</code> : span.text))}</>;
}
