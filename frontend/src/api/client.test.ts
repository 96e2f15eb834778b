import { afterEach, expect, test, vi } from "vitest";
import { ApiError, makeClient } from "./client";

const client = makeClient("http://host/deep/prefix/data/plugin/nanwatch/index.js");

function answer(body: string, status = 200) {
  const fetched = vi.fn(async (_address: URL) => new Response(body, { status }));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test("addresses lie beside the page's module, whatever the prefix, and names are escaped", async () => {
  const fetched = answer('{"alerts": []}');
  await client.alerts("a/b & c");
  expect(String(fetched.mock.calls[0]?.[0])).toBe(
    "http://host/deep/prefix/data/plugin/nanwatch/alerts?run=a%2Fb+%26+c",
  );
});

test("an error is told in the server's own sentence", async () => {
  answer('{"error": "there is no run \'x\'"}', 404);
  await expect(client.layout("x")).rejects.toThrow(new ApiError("there is no run 'x'"));
});

test("an error without a sentence is told by its status", async () => {
  answer("<h1>Bad gateway</h1>", 502);
  await expect(client.runs()).rejects.toThrow(new ApiError("the server answered with status 502"));
});

test("an answer that isn't JSON is an error of its own", async () => {
  answer("<h1>Log in</h1>");
  await expect(client.runs()).rejects.toBeInstanceOf(ApiError);
});

test("a server that is gone is named as such", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("Failed to fetch")));
  await expect(client.runs()).rejects.toThrow("TensorBoard doesn't answer");
});
