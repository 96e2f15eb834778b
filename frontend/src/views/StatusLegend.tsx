import { STATUS_SHAPES, STATUS_WORDS } from "../base/status";

/** What the heatmap's colours and textures mean. */
export function StatusLegend() {
  return (
    <ul class="legend" aria-label="Legend">
      {STATUS_WORDS.map((word) => (
        <li key={word}>
          <i class={`sample cell-${word}`} aria-hidden="true" />{" "}
          <span class={`ink-${word}`} aria-hidden="true">
            {STATUS_SHAPES[word]}
          </span>{" "}
          {word}
        </li>
      ))}
    </ul>
  );
}
