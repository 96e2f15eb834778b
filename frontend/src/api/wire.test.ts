import { describe, expect, test } from "vitest";
import { decodeBytes, decodeFloats, WireError } from "./wire";

function encode(header: object, values: Uint8Array): ArrayBuffer {
  return encodeText(JSON.stringify(header), values);
}

function encodeText(json: string, values: Uint8Array, askew = 0): ArrayBuffer {
  let text = json;
  while ((4 + text.length) % 8 !== askew) text += " ";
  const buffer = new ArrayBuffer(4 + text.length + values.byteLength);
  new DataView(buffer).setUint32(0, text.length, true);
  new Uint8Array(buffer).set(new TextEncoder().encode(text), 4);
  new Uint8Array(buffer).set(values, 4 + text.length);
  return buffer;
}

const floats = (...numbers: number[]) => new Uint8Array(new Float32Array(numbers).buffer);

test("numbers arrive row by row, NaN and infinity included", () => {
  const sent = floats(1, Number.NaN, Number.POSITIVE_INFINITY, -2);
  const header = { dtype: "float32", shape: [2, 2], steps: [0, 10], columns: ["loss", "a/kernel"] };
  const answer = decodeFloats(encode(header, sent));
  expect([...answer.values]).toEqual([1, Number.NaN, Number.POSITIVE_INFINITY, -2]);
  expect(answer.steps).toEqual([0, 10]);
  expect(answer.names).toEqual(["loss", "a/kernel"]);
});

test("no rows at all is an answer too", () => {
  expect(decodeBytes(encode({ dtype: "uint8", shape: [0, 3], steps: [] }, new Uint8Array())).rows).toBe(0);
});

describe("what doesn't fit is refused", () => {
  const good = { dtype: "float32", shape: [1, 1], steps: [0] };
  test.each([
    ["an empty answer", new ArrayBuffer(0)],
    ["a header that ends early", new Uint32Array([1000]).buffer],
    ["another type", encode({ ...good, dtype: "uint8" }, floats(1))],
    ["too few values", encode({ ...good, shape: [2, 1], steps: [0, 1] }, floats(1))],
    ["a step missing", encode({ ...good, steps: [] }, floats(1))],
    ["a size below zero", encode({ ...good, shape: [-1, -1], steps: [] }, floats(1))],
    ["a name missing", encode({ ...good, columns: ["loss", "a/kernel"] }, floats(1))],
    ["a header that is no JSON", encodeText("{oops", floats(1))],
    ["values that begin askew", encodeText(`${JSON.stringify(good)} `, floats(1), 1)],
    ["no shape", encode({ dtype: "float32", steps: [] }, floats(1))],
  ])("%s", (_, buffer) => {
    expect(() => decodeFloats(buffer as ArrayBuffer)).toThrow(WireError);
  });
});
