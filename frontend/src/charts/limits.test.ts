import { expect, test } from "vitest";
import { typeLimits } from "./limits";

test("a type's end is drawn once values come near it", () => {
  expect(typeLimits("rms", ["float32", "float32"], 1e25, true)).toEqual([
    { value: 3.4028e38, text: "float32 overflows" },
  ]);
  expect(typeLimits("rms", ["float32"], 1, true)).toEqual([]);
  expect(typeLimits("abs_max", ["float16"], 1, true)).toEqual([{ value: 65504, text: "float16 overflows" }]);
});

test("a linear scale, a fraction and an unknown type have no such line", () => {
  expect(typeLimits("rms", ["float32"], 1e30, false)).toEqual([]);
  expect(typeLimits("zero_fraction", ["float32"], 1e30, true)).toEqual([]);
  expect(typeLimits("rms", ["int8"], 1e30, true)).toEqual([]);
});
