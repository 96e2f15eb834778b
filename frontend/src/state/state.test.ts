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

test("of two runs opened one after the other the later one is shown, whichever is answered first", async () => {
  const answers = new Map<string, () => void>();
  const base = client([summary("slow", "healthy"), summary("quick", "healthy")]);
  const layout = async (run: string) => {
    await new Promise<void>((resolve) => answers.set(run, resolve));
    return base.layout(run);
  };
  const state = new State({ ...base, layout });
  const slow = state.openRun("slow");
  const quick = state.openRun("quick");
  answers.get("quick")?.();
  await quick;
  answers.get("slow")?.();
  await slow;
  expect([state.run.value, state.wanted.value]).toEqual(["quick", "quick"]);
});

test("a run that is opened while another is asked for again stays open", async () => {
  const runs = [summary("bad", "nonfinite"), summary("fine", "healthy")];
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const state = new State(client(runs, { runs: () => asked.then(() => runs) }));
  const reloaded = state.reload();
  await state.openRun("fine");
  answer();
  await reloaded;
  expect(state.run.value).toBe("fine");
});

test("trying again after an error opens the run that couldn't be read", async () => {
  const runs = [summary("bad", "nonfinite"), summary("fine", "healthy")];
  const base = client(runs);
  let broken = false;
  const layout = async (run: string) => {
    if (broken) throw new Error("damaged");
    return base.layout(run);
  };
  const state = new State({ ...base, layout });
  await state.reload();
  broken = true;
  await state.openRun("fine");
  expect([state.run.value, state.error.value]).toEqual(["bad", "damaged"]);
  broken = false;
  await state.reload();
  expect([state.run.value, state.error.value]).toEqual(["fine", null]);
});

test("an error of a question that was given up is not told", async () => {
  const base = client([summary("gone", "healthy"), summary("fine", "healthy")]);
  let fail = () => {};
  const failing = new Promise<never>((_, reject) => {
    fail = () => reject(new Error("there is no run 'gone'"));
  });
  const layout = (run: string) => (run === "gone" ? failing : base.layout(run));
  const state = new State({ ...base, layout });
  const gone = state.openRun("gone");
  await state.openRun("fine");
  fail();
  await gone;
  expect([state.run.value, state.error.value]).toEqual(["fine", null]);
});

test("it is loading until all that was asked for has been answered", async () => {
  const state = new State(client([summary("run", "healthy")]));
  const both = [state.reload(), state.openRun("run")];
  expect(state.loading.value).toBe(true);
  await Promise.all(both);
  expect(state.loading.value).toBe(false);
});

test("a layer keeps being open when another one comes before it", async () => {
  const base = client([summary("run", "healthy")]);
  let grown = false;
  const layout = async (run: string): Promise<Layout> => {
    const before = await base.layout(run);
    const added = { path: "new", type: "Dense", sites: [] };
    return grown ? { ...before, layers: [added, ...before.layers] } : before;
  };
  const state = new State({ ...base, layout });
  await state.reload();
  await state.openLayer(1);
  grown = true;
  await state.reload();
  expect(state.data.value?.layout.layers[state.layer.value ?? -1]?.path).toBe("b");
});

test("a statistic that a run doesn't have gives way to the default", async () => {
  const state = new State(client([summary("run", "healthy")]));
  await state.reload();
  await state.chooseStatistic("kurtosis");
  expect(state.statistic.value).toBe("rms");
});

test("many values are asked for in parts", async () => {
  const rows = 2_000_000;
  const values = vi.fn(async () => ({ ...empty, values: new Float32Array() }));
  const statuses = async () => ({ ...empty, rows, values: new Uint8Array() });
  const state = new State(client([summary("run", "healthy", "b")], { values, statuses }));
  await state.reload();
  expect(values.mock.calls.map((call) => (call as unknown[])[2])).toEqual([[1], [2], [1], [2]]);
});
