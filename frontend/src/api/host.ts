/** Talks to TensorBoard, in whose iframe the page runs. */

type Message = { type: string; id: number; payload: unknown; error: string | null; isReply: boolean };

export type Host = {
  /** Values of the address's hash that begin with `p.nanwatch.`. */
  urlData(): Promise<Record<string, string>>;
  /** Calls back whenever TensorBoard has read new data, or its runs have changed. */
  onData(listener: () => void): void;
};

/** The host; null where the page stands alone. */
export function connect(window: Window): Host | null {
  if (window.parent === window) return null;
  const channel = new MessageChannel();
  const port = channel.port1;
  const waiting = new Map<number, (payload: unknown) => void>();
  const listeners: (() => void)[] = [];
  let last = 0;

  const send = (message: Message) => port.postMessage(JSON.stringify(message));
  port.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as Message;
    if (message.isReply) {
      waiting.get(message.id)?.(message.payload);
      waiting.delete(message.id);
      return;
    }
    if (message.type === "experimental.DataReloaded" || message.type === "experimental.RunsChanged") {
      for (const listener of listeners) listener();
    }
    send({ type: message.type, id: message.id, payload: null, error: null, isReply: true });
  };
  window.parent.postMessage("experimental.bootstrap", "*", [channel.port2]);

  return {
    urlData: () =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, (payload) => resolve((payload ?? {}) as Record<string, string>));
        const payload = { pluginName: "nanwatch" };
        send({ type: "experimental.GetURLPluginData", id: last, payload, error: null, isReply: false });
      }),
    onData: (listener) => listeners.push(listener),
  };
}
