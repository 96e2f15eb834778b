/** Which statistic a layer is shown by, and on which scale, until the reader chooses. */

import type { Layout } from "../api/types";

const ON_A_LOGARITHMIC_SCALE: ReadonlySet<string> = new Set(["rms", "norm", "abs_max", "std"]);

/** `mean` where all that is measured is single numbers (a loss), else `rms`. */
export function defaultStatistic(layout: Layout, layer: number): string {
  const kinds = (layout.layers[layer]?.sites ?? []).map((site) => layout.sites[site]?.kind);
  const scalars = kinds.length > 0 && kinds.every((kind) => kind === "loss" || kind === "penalty");
  return scalars ? "mean" : "rms";
}

/** Whether a statistic is a magnitude, which can change by orders of it. */
export function isMagnitude(statistic: string): boolean {
  return ON_A_LOGARITHMIC_SCALE.has(statistic);
}
