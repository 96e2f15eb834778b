/** Talks to TensorBoard, in whose iframe the page runs. */

type Message = { type: string; id: number; payload: unknown; error: string | null; isReply: boolean };

export type Host = {
  /** Calls back whenever TensorBoard has read new data, or its runs have changed. */
  onData(listener: () => void): void;
};

/** The host; null where the page stands alone. */
export function connect(window: Window): Host | null {
  if (window.parent === window) return null;
  const channel = new MessageChannel();
  const port = channel.port1;
  const listeners: (() => void)[] = [];
  port.onmessage = (event: MessageEvent<string>) => {
    const message = JSON.parse(event.data) as Message;
    if (message.isReply) return;
    if (message.type === "experimental.DataReloaded" || message.type === "experimental.RunsChanged") {
      for (const listener of listeners) listener();
    }
    const reply: Message = { type: message.type, id: message.id, payload: null, error: null, isReply: true };
    port.postMessage(JSON.stringify(reply));
  };
  window.parent.postMessage("experimental.bootstrap", "*", [channel.port2]);

  return { onData: (listener) => listeners.push(listener) };
}

const PREFIX = "p.nanwatch.";

/**
 * What the address asks for: values of its hash that begin with `p.nanwatch.`.
 *
 * TensorBoard offers them over the channel too (`experimental.GetURLPluginData`), but answers with
 * nothing until one of its own older dashboards has been open; the frame is of the same origin and
 * may look for itself.
 */
export function linkedTo(window: Window): Record<string, string> {
  const hash = parentHash(window).replace(/^#/, "");
  return Object.fromEntries(
    [...new URLSearchParams(hash)]
      .filter(([name]) => name.startsWith(PREFIX))
      .map(([name, value]) => [name.slice(PREFIX.length), value]),
  );
}

function parentHash(window: Window): string {
  try {
    return window.parent.location.hash;
  } catch {
    // A host of another origin keeps its address to itself: no link can be followed.
    return "";
  }
}
