/** All that the page knows, and what may be done with it. */

import { batch, computed, signal } from "@preact/signals";
import type { Client } from "../api/client";
import { joinColumns } from "../api/join";
import type { Alert, Bytes, Floats, Layout, RunSummary } from "../api/types";
import { gravity } from "../base/status";
import { Newest } from "./newest";
import { defaultStatistic, isMagnitude } from "./statistic";

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

/** Sites of one layer that are shown, which is also the most that one answer holds. */
export const MOST_SITES = 64;
/** Below what one answer may hold, since a training that goes on adds rows while it is asked. */
const MOST_VALUES = 3_000_000;

export class State {
  readonly runs = signal<readonly RunSummary[] | null>(null);
  readonly filter = signal("");
  /** The run that is shown. */
  readonly run = signal<string | null>(null);
  /** The run that was chosen, shown as soon as it has been read. */
  readonly wanted = signal<string | null>(null);
  readonly data = signal<RunData | null>(null);
  readonly layer = signal<number | null>(null);
  readonly layerData = signal<LayerData | null>(null);
  /** What the reader chose instead of the defaults. */
  readonly chosenStatistic = signal<string | null>(null);
  readonly chosenScale = signal<boolean | null>(null);
  readonly chosenLossScale = signal<boolean | null>(null);
  readonly cursor = signal<Cursor | null>(null);
  readonly error = signal<string | null>(null);
  private readonly pending = signal(0);
  readonly loading = computed(() => this.pending.value > 0);
  readonly dark = signal(false);

  /** Runs that pass the filter, the worst first. */
  readonly shownRuns = computed(() => {
    const shown = (this.runs.value ?? []).filter((each) => matches(this.filter.value, each.run));
    return shown.sort((a, b) => gravity(b.status) - gravity(a.status) || b.updated - a.updated);
  });

  readonly summary = computed(() => this.runs.value?.find((each) => each.run === this.run.value) ?? null);

  readonly filterIsValid = computed(() => pattern(this.filter.value) !== null);

  readonly statistic = computed(() => {
    const layout = this.data.value?.layout;
    const chosen = this.chosenStatistic.value;
    if (!layout) return chosen ?? "rms";
    if (chosen !== null && layout.statistics.includes(chosen)) return chosen;
    return defaultStatistic(layout, this.layer.value ?? -1);
  });

  readonly logarithmic = computed(() => this.chosenScale.value ?? isMagnitude(this.statistic.value));

  private readonly newestRun = new Newest();
  private readonly newestLayer = new Newest();

  constructor(private readonly client: Client) {}

  /** Asks for the runs and all of the open one again; what was chosen stays chosen. */
  async reload(): Promise<void> {
    await this.attempt(async () => {
      const runs = await this.client.runs();
      this.runs.value = runs;
      const open = runs.some((each) => each.run === this.wanted.value) ? this.wanted.value : null;
      const run = open ?? this.shownRuns.value[0]?.run ?? null;
      this.wanted.value = run;
      if (run === null) batch(() => this.close());
      else await this.fetchRun(run);
    });
  }

  async openRun(run: string, layer?: string): Promise<void> {
    this.wanted.value = run;
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
    this.chosenStatistic.value = statistic;
    this.chosenScale.value = null;
    await this.attempt(() => this.fetchLayer());
  }

  private close(): void {
    this.run.value = null;
    this.wanted.value = null;
    this.data.value = null;
    this.layer.value = null;
    this.layerData.value = null;
  }

  private async fetchRun(run: string, path?: string): Promise<void> {
    const { client } = this;
    const answers = await this.newestRun.of(
      Promise.all([
        client.layout(run),
        client.statuses(run),
        client.alerts(run),
        client.loss(run),
        client.penalties(run),
      ]),
    );
    if (!answers) return;
    const [layout, statuses, alerts, loss, penalties] = answers;
    const same = run === this.run.value;
    const find = (wanted: string | null | undefined) =>
      layout.layers.findIndex((each) => each.path === wanted);
    const before = same ? this.data.value?.layout.layers[this.layer.value ?? -1]?.path : null;
    const pointed = this.runs.value?.find((each) => each.run === run)?.layer;
    const candidates = [find(path), find(before), find(pointed), 0];
    batch(() => {
      this.run.value = run;
      this.data.value = { layout, statuses, alerts, loss, penalties };
      this.layer.value = candidates.find((each) => each >= 0 && each < layout.layers.length) ?? null;
      if (!same) {
        this.cursor.value = null;
        this.layerData.value = null;
      }
    });
    await this.fetchLayer();
  }

  private async fetchLayer(): Promise<void> {
    const [data, run, layer] = [this.data.value, this.run.value, this.layer.value];
    const statistic = this.statistic.value;
    const sites = data?.layout.layers[layer ?? -1]?.sites.slice(0, MOST_SITES) ?? [];
    if (!data || run === null || layer === null) {
      this.layerData.value = null;
      return;
    }
    const answers = await this.newestLayer.of(
      Promise.all([
        this.fetchValues(run, statistic, sites, data.statuses.rows),
        this.fetchValues(run, "nonfinite_count", sites, data.statuses.rows),
      ]),
    );
    if (answers) this.layerData.value = { layer, statistic, values: answers[0], nonfinite: answers[1] };
  }

  private async fetchValues(run: string, statistic: string, sites: readonly number[], rows: number) {
    const most = Math.max(1, Math.floor(MOST_VALUES / Math.max(rows, 1)));
    const parts: Promise<Floats>[] = [];
    for (let from = 0; from < sites.length; from += most) {
      parts.push(this.client.values(run, statistic, sites.slice(from, from + most)));
    }
    return joinColumns(await Promise.all(parts));
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.pending.value += 1;
    try {
      await work();
      this.error.value = null;
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
    } finally {
      this.pending.value -= 1;
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
