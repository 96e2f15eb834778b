/** Asks the plugin's routes. Addresses are relative to this module, so that a path prefix needs no care. */

import type { Alert, Bytes, Floats, Layout, RunSummary } from "./types";
import { decodeBytes, decodeFloats } from "./wire";

/** An answer that is no answer, in a sentence for the reader. */
export class ApiError extends Error {}

export type Client = {
  runs(): Promise<RunSummary[]>;
  layout(run: string): Promise<Layout>;
  statuses(run: string): Promise<Bytes>;
  values(run: string, statistic: string, sites: readonly number[]): Promise<Floats>;
  loss(run: string): Promise<Floats>;
  penalties(run: string): Promise<Floats>;
  alerts(run: string): Promise<Alert[]>;
};

export function makeClient(base: string): Client {
  async function ask(route: string, parameters: Record<string, string>): Promise<Response> {
    const address = new URL(route, base);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    let response: Response;
    try {
      response = await fetch(address, { cache: "no-store" });
    } catch {
      throw new ApiError("TensorBoard doesn't answer; is it still running?");
    }
    if (!response.ok) throw new ApiError(await reason(response));
    return response;
  }
  const json = async <T>(route: string, parameters: Record<string, string> = {}): Promise<T> =>
    (await parsed(await ask(route, parameters))) as T;
  const buffer = async (route: string, parameters: Record<string, string>): Promise<ArrayBuffer> =>
    (await ask(route, parameters)).arrayBuffer();

  return {
    runs: async () => (await json<{ runs: RunSummary[] }>("runs")).runs,
    layout: (run) => json<Layout>("layout", { run }),
    statuses: async (run) => decodeBytes(await buffer("statuses", { run })),
    values: async (run, statistic, sites) =>
      decodeFloats(await buffer("values", { run, statistic, sites: sites.join(",") })),
    loss: async (run) => decodeFloats(await buffer("loss", { run })),
    penalties: async (run) => decodeFloats(await buffer("penalties", { run })),
    alerts: async (run) => (await json<{ alerts: Alert[] }>("alerts", { run })).alerts,
  };
}

async function parsed(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiError("the server's answer is no JSON; does something stand between it and this page?");
  }
}

async function reason(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not JSON: a proxy's page, or TensorBoard's own; the status says what there is to say.
  }
  return `the server answered with status ${response.status}`;
}
