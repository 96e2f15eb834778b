import { expect, test, vi } from "vitest";
import { connect, linkedTo } from "./host";

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

test("a page on its own has no host", () => {
  const alone = { parent: null as unknown };
  alone.parent = alone;
  expect(connect(alone as unknown as Window)).toBeNull();
});

test.each(["experimental.DataReloaded", "experimental.RunsChanged"])(
  "%s is heard and answered",
  async (type) => {
    let port: MessagePort | undefined;
    const postMessage = vi.fn((_hello: string, _target: string, ports: MessagePort[]) => {
      port = ports[0];
    });
    const heard = vi.fn();
    connect({ parent: { postMessage } } as unknown as Window)?.onData(heard);
    expect(postMessage.mock.calls[0]?.[0]).toBe("experimental.bootstrap");
    const reply = new Promise((resolve) => {
      if (port) port.onmessage = (event) => resolve(JSON.parse(event.data as string));
    });
    port?.postMessage(JSON.stringify({ type, id: 7, payload: null, error: null, isReply: false }));
    expect(await reply).toEqual({ type, id: 7, payload: null, error: null, isReply: true });
    expect(heard).toHaveBeenCalledOnce();
    port?.close();
  },
);
