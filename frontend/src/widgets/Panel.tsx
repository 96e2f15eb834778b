import type { ComponentChildren } from "preact";

/** A titled part of the page. */
export function Panel(props: { title: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="panel" aria-label={props.title}>
      <header>
        <h2>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}
