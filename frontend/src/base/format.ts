/** Numbers and names as people read them. */

/** Four significant digits; powers of ten beyond 10⁻³ to 10⁵. */
export function formatNumber(value: number | null): string {
  if (value === null) return "–";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e5)) {
    return value.toExponential(2).replace("e+", "e").replaceAll("-", "−");
  }
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

/** A part of a whole, in percent. */
export function formatShare(share: number | null): string {
  return share === null || !Number.isFinite(share) ? formatNumber(share) : `${formatNumber(share * 100)} %`;
}

/** A name that fits, cut in its middle: both ends of a layer's path tell it apart. */
export function elide(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  const head = Math.ceil((longest - 1) / 2);
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (longest - 1 - head)).join("")}`;
}

export type Span = { readonly text: string; readonly code: boolean };

/** Splits a sentence at its backticks, which mark names. */
export function spans(sentence: string): Span[] {
  return sentence
    .split("`")
    .map((text, index) => ({ text, code: index % 2 === 1 }))
    .filter((span) => span.text !== "");
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
