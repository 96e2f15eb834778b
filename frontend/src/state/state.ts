/** All that the page knows, and what may be done with it. */

import { batch, computed, signal } from "@preact/signals";
import type { Client } from "../api/client";
import type { Alert, Bytes, Floats, Layout, RunSummary } from "../api/types";
import { gravity } from "../base/status";

export type RunData = {
  readonly layout: Layout;
  readonly statuses: Bytes;
  readonly alerts: readonly Alert[];
  readonly loss: Floats;
  readonly penalties: Floats;
};

export type LayerData = {
  readonly layer: number;
  readonly statistic: string;
  readonly values: Floats;
  readonly nonfinite: Floats;
};

/** Where the heatmap's cursor stands: a layer and a sample. */
export type Cursor = { readonly layer: number; readonly sample: number };

const MOST_SITES = 64;

export class State {
  readonly runs = signal<readonly RunSummary[] | null>(null);
  readonly filter = signal("");
  readonly run = signal<string | null>(null);
  readonly data = signal<RunData | null>(null);
  readonly layer = signal<number | null>(null);
  readonly layerData = signal<LayerData | null>(null);
  readonly statistic = signal("rms");
  readonly logarithmic = signal(true);
  readonly cursor = signal<Cursor | null>(null);
  readonly error = signal<string | null>(null);
  readonly loading = signal(false);
  readonly dark = signal(false);

  /** Runs that pass the filter, the worst first. */
  readonly shownRuns = computed(() => {
    const shown = (this.runs.value ?? []).filter((each) => matches(this.filter.value, each.run));
    return shown.sort((a, b) => gravity(b.status) - gravity(a.status) || b.updated - a.updated);
  });

  readonly summary = computed(() => this.runs.value?.find((each) => each.run === this.run.value) ?? null);

  readonly filterIsValid = computed(() => pattern(this.filter.value) !== null);

  private generation = 0;

  constructor(private readonly client: Client) {}

  /** Asks for the runs and all of the open one again; what was chosen stays chosen. */
  async reload(): Promise<void> {
    await this.attempt(async () => {
      const runs = await this.client.runs();
      this.runs.value = runs;
      const open = runs.some((each) => each.run === this.run.value) ? this.run.value : null;
      const run = open ?? this.shownRuns.value[0]?.run ?? null;
      if (run === null) batch(() => this.close());
      else await this.fetchRun(run);
    });
  }

  async openRun(run: string, layer?: string): Promise<void> {
    await this.attempt(() => this.fetchRun(run, layer));
  }

  async openLayer(layer: number): Promise<void> {
    this.layer.value = layer;
    await this.attempt(() => this.fetchLayer());
  }

  async openLayerPath(path: string): Promise<void> {
    const layer = this.data.value?.layout.layers.findIndex((each) => each.path === path) ?? -1;
    if (layer >= 0) await this.openLayer(layer);
  }

  async chooseStatistic(statistic: string): Promise<void> {
    this.statistic.value = statistic;
    await this.attempt(() => this.fetchLayer());
  }

  private close(): void {
    this.run.value = null;
    this.data.value = null;
    this.layer.value = null;
    this.layerData.value = null;
  }

  private async fetchRun(run: string, path?: string): Promise<void> {
    const [layout, statuses, alerts, loss, penalties] = await Promise.all([
      this.client.layout(run),
      this.client.statuses(run),
      this.client.alerts(run),
      this.client.loss(run),
      this.client.penalties(run),
    ]);
    const same = run === this.run.value;
    const find = (wanted: string | null | undefined) =>
      layout.layers.findIndex((each) => each.path === wanted);
    const before = same ? this.layer.value : null;
    const pointed = this.runs.value?.find((each) => each.run === run)?.layer;
    const candidates = [find(path), before ?? -1, find(pointed), 0];
    batch(() => {
      this.run.value = run;
      this.data.value = { layout, statuses, alerts, loss, penalties };
      this.layer.value = candidates.find((each) => each >= 0 && each < layout.layers.length) ?? null;
      if (!same) this.cursor.value = null;
    });
    await this.fetchLayer();
  }

  private async fetchLayer(): Promise<void> {
    const [data, run, layer, statistic] = [
      this.data.value,
      this.run.value,
      this.layer.value,
      this.statistic.value,
    ];
    const sites = data?.layout.layers[layer ?? -1]?.sites.slice(0, MOST_SITES) ?? [];
    if (run === null || layer === null || sites.length === 0) {
      this.layerData.value = null;
      return;
    }
    this.generation += 1;
    const generation = this.generation;
    const [values, nonfinite] = await Promise.all([
      this.client.values(run, statistic, sites),
      this.client.values(run, "nonfinite_count", sites),
    ]);
    // A later choice may have been answered already.
    if (generation === this.generation) this.layerData.value = { layer, statistic, values, nonfinite };
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.loading.value = true;
    try {
      await work();
      this.error.value = null;
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.loading.value = false;
    }
  }
}

function pattern(filter: string): RegExp | null {
  try {
    return new RegExp(filter, "i");
  } catch {
    return null;
  }
}

function matches(filter: string, run: string): boolean {
  return pattern(filter)?.test(run) ?? true;
}
