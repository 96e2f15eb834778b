import { expect, test, vi } from "vitest";
import type { Client } from "../api/client";
import type { Layout, RunSummary } from "../api/types";
import type { StatusWord } from "../base/status";
import { State } from "./state";

function summary(run: string, status: StatusWord, layer: string | null = null): RunSummary {
  const counts = { first_step: 0, last_step: 1, samples: 2, layers: 2, alerts: 0 };
  return { run, status, sentence: "", layer, step: null, updated: 0, problem: null, ...counts };
}

const empty = { rows: 0, columns: 0, steps: [], names: [] };

function client(runs: RunSummary[], change: Partial<Client> = {}): Client {
  const layout = (run: string): Layout => ({
    run,
    statistics: ["rms"],
    layers: [
      { path: "a", type: "Dense", sites: [0] },
      { path: "b", type: "Dense", sites: [1, 2] },
    ],
    sites: [],
    thresholds: [],
  });
  return {
    runs: async () => runs,
    layout: async (run) => layout(run),
    statuses: async () => ({ ...empty, values: new Uint8Array() }),
    values: async () => ({ ...empty, values: new Float32Array() }),
    loss: async () => ({ ...empty, values: new Float32Array() }),
    penalties: async () => ({ ...empty, values: new Float32Array() }),
    alerts: async () => [],
    ...change,
  };
}

test("the run in most trouble is opened first, at the layer that its verdict names", async () => {
  const state = new State(client([summary("fine", "healthy"), summary("bad", "nonfinite", "b")]));
  await state.reload();
  expect(state.run.value).toBe("bad");
  expect(state.layer.value).toBe(1);
});

test("a reload keeps the run and the layer that were chosen", async () => {
  const runs = [summary("fine", "healthy"), summary("bad", "nonfinite", "b")];
  const state = new State(client(runs));
  await state.reload();
  await state.openRun("fine");
  await state.openLayer(1);
  await state.reload();
  expect([state.run.value, state.layer.value]).toEqual(["fine", 1]);
});

test("an error is kept in its own words, and gone after the next success", async () => {
  const failing = vi.fn().mockRejectedValueOnce(new Error("there is no run")).mockResolvedValue([]);
  const state = new State(client([], { runs: failing }));
  await state.reload();
  expect(state.error.value).toBe("there is no run");
  await state.reload();
  expect(state.error.value).toBeNull();
});

test("a filter that is no regular expression hides nothing", async () => {
  const state = new State(client([summary("one", "healthy"), summary("two", "healthy")]));
  await state.reload();
  state.filter.value = "^o";
  expect(state.shownRuns.value.map((each) => each.run)).toEqual(["one"]);
  state.filter.value = "(";
  expect(state.shownRuns.value).toHaveLength(2);
  expect(state.filterIsValid.value).toBe(false);
});

test("of two choices of a layer the later one is shown, whichever is answered first", async () => {
  const answers: ((rows: number) => void)[] = [];
  const values = () =>
    new Promise<never>((resolve) => {
      answers.push((rows) => resolve({ ...empty, rows, values: new Float32Array() } as never));
    });
  const state = new State(client([summary("run", "healthy")]));
  await state.reload();
  Object.assign(state, { client: client([], { values }) });
  const first = state.openLayer(0);
  const second = state.openLayer(1);
  for (const answer of answers.slice(2)) answer(2);
  await second;
  for (const answer of answers.slice(0, 2)) answer(1);
  await first;
  expect(state.layerData.value?.layer).toBe(1);
});
