/** What TensorBoard loads into its iframe. */

import { render as renderInto } from "preact";
import uplotStyle from "uplot/dist/uPlot.min.css?inline";
import { makeClient } from "./api/client";
import { connect, linkedTo } from "./api/host";
import { State } from "./state/state";
import style from "./style.css?inline";
import { followTheme } from "./theme";
import { App } from "./views/App";

export async function render(): Promise<void> {
  const sheet = document.createElement("style");
  sheet.textContent = uplotStyle + style;
  document.head.append(sheet);
  document.documentElement.lang = "en";
  document.title = "NaNWatch";
  const state = new State(makeClient(import.meta.url));
  followTheme(window, (dark) => {
    document.documentElement.classList.toggle("dark", dark);
    state.dark.value = dark;
  });
  const root = document.createElement("div");
  root.id = "nanwatch";
  document.body.append(root);
  renderInto(<App state={state} />, root);
  connect(window)?.onData(() => void state.reload());
  const { run, layer } = linkedTo(window);
  await state.reload();
  if (run) await state.openRun(run, layer);
}
