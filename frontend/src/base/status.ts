/** Statuses and severities: one table from which words, shapes and colours come. */

export const STATUS_WORDS = ["unknown", "healthy", "watch", "diverging", "nonfinite"] as const;

export type StatusWord = (typeof STATUS_WORDS)[number];

export type SeverityWord = "info" | "warning" | "critical";

/** A shape for each status, so that colour is never the only sign. */
export const STATUS_SHAPES: Readonly<Record<StatusWord, string>> = {
  unknown: "○",
  healthy: "●",
  watch: "◆",
  diverging: "▲",
  nonfinite: "✖",
};

export const SEVERITY_SHAPES: Readonly<Record<SeverityWord, string>> = {
  info: "ℹ",
  warning: "▲",
  critical: "✖",
};

export function statusWord(code: number): StatusWord {
  return STATUS_WORDS[code] ?? "unknown";
}

export function isStatusWord(word: string): word is StatusWord {
  return (STATUS_WORDS as readonly string[]).includes(word);
}

/** Orders statuses by gravity. */
export function gravity(word: StatusWord): number {
  return STATUS_WORDS.indexOf(word);
}
