/** Follows TensorBoard's dark mode, or the system's where the page stands alone. */
export function followTheme(window: Window, apply: (dark: boolean) => void): void {
  const body = window.parent === window ? null : parentBody(window);
  if (body) {
    const read = () => apply(body.classList.contains("dark-mode"));
    new MutationObserver(read).observe(body, { attributes: true, attributeFilter: ["class"] });
    read();
    return;
  }
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", () => apply(query.matches));
  apply(query.matches);
}

function parentBody(window: Window): HTMLElement | null {
  try {
    return window.parent.document.body;
  } catch {
    // A host of another origin keeps its document to itself; the system's setting serves.
    return null;
  }
}
