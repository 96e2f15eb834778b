import { niceStride } from "../base/nice";

const PIXELS_PER_TICK = 90;
/** Percent of the width within which a tick is at an end. */
const END = 2;

/** Steps below the heatmap: a column is a sample, so equal distances needn't be equal steps. */
export function StepAxis({ steps, width }: { steps: readonly number[]; width: number }) {
  const stride = niceStride(steps.length, Math.floor(width / PIXELS_PER_TICK));
  const ticks = steps.flatMap((step, sample) => (sample % stride === 0 ? [{ step, sample }] : []));
  return (
    <div class="axis" style={{ width: `${width}px` }} aria-hidden="true">
      <span class="name">step</span>
      {ticks.map(({ step, sample }) => {
        const left = (100 * (sample + 0.5)) / steps.length;
        const end = left < END ? "first" : left > 100 - END ? "last" : "";
        return (
          <span key={sample} class={end} style={{ left: `${left}%` }}>
            {step}
          </span>
        );
      })}
    </div>
  );
}
