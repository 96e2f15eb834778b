import { expect, test } from "vitest";
import { elide, formatNumber, formatShare, plural, spans } from "./format";

test.each([
  [0, "0"],
  [1234.56, "1235"],
  [-0.25, "−0.25"],
  [123456, "1.23e5"],
  [-0.00001, "−1.00e−5"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "+∞"],
  [Number.NEGATIVE_INFINITY, "−∞"],
  [null, "–"],
])("the number %s reads %s", (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test.each([
  [0.125, "12.5 %"],
  [0, "0 %"],
  [Number.NaN, "NaN"],
  [null, "–"],
])("the share %s reads %s", (share, text) => {
  expect(formatShare(share)).toBe(text);
});

test("a long path keeps both its ends", () => {
  expect(elide("backbone/block_12/convolution", 11)).toBe("backb…ution");
  expect(elide("short", 11)).toBe("short");
});

test("backticks mark names and are not shown", () => {
  expect(spans("the layer `<img>` grows")).toEqual([
    { text: "the layer ", code: false },
    { text: "<img>", code: true },
    { text: " grows", code: false },
  ]);
});

test("one is singular", () => {
  expect(plural(1, "alert")).toBe("1 alert");
  expect(plural(0, "alert")).toBe("0 alerts");
});
