import { expect, test } from "vitest";
import { sampleAt, worstByColumn, worstByLayer } from "./reduce";

const codes = new Uint8Array([
  ...[1, 1, 1], // sample 0
  ...[1, 4, 1],
  ...[1, 1, 2],
  ...[1, 1, 1],
]);

test("where samples share a pixel the worst one shows", () => {
  expect([...worstByColumn(codes, 4, 3, 0, 3, 2)]).toEqual([1, 1, 4, 1, 1, 2]);
});

test("where a sample has several pixels it fills them", () => {
  expect([...worstByColumn(codes, 4, 3, 1, 2, 8)]).toEqual([1, 1, 4, 4, 1, 1, 1, 1]);
});

test("a single pixel shows the worst of all", () => {
  expect([...worstByColumn(codes, 4, 3, 0, 3, 1)]).toEqual([1, 4, 2]);
});

test("a layer's worst status counts over the whole run", () => {
  expect([...worstByLayer(codes, 4, 3)]).toEqual([1, 4, 2]);
});

test("the pointer falls on a sample, at both edges too", () => {
  expect([0, 0.49, 0.5, 1].map((each) => sampleAt(each, 2))).toEqual([0, 0, 1, 1]);
});
