import { expect, test } from "vitest";
import { linkedTo } from "./host";

const at = (hash: string) => linkedTo({ parent: { location: { hash } } } as unknown as Window);

test("a link names run and layer", () => {
  expect(at("#nanwatch&p.nanwatch.run=a%2Fb&p.nanwatch.layer=conv%20%3Cb%3E&p.other.run=c")).toEqual({
    run: "a/b",
    layer: "conv <b>",
  });
});

test("an address without a link asks for nothing", () => {
  expect(at("")).toEqual({});
  expect(at("#nanwatch")).toEqual({});
});

test("a host that keeps its address to itself is no error", () => {
  const parent = {
    get location(): Location {
      throw new DOMException("blocked");
    },
  };
  expect(linkedTo({ parent } as unknown as Window)).toEqual({});
});
