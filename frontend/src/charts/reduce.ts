/** From samples to pixels: what a column shows when there are more samples than pixels, or fewer. */

/** The sample that a fraction of the width (0 to 1) falls on. */
export function sampleAt(fraction: number, samples: number): number {
  return Math.max(0, Math.min(samples - 1, Math.floor(fraction * samples)));
}

/**
 * The worst status of each row in each pixel column.
 *
 * @param codes row-major `[samples, layers]`
 * @returns row-major `[last - first, width]`
 */
export function worstByColumn(
  codes: Uint8Array,
  samples: number,
  layers: number,
  first: number,
  last: number,
  width: number,
): Uint8Array {
  const out = new Uint8Array((last - first) * width);
  for (let x = 0; x < width; x++) {
    const from = Math.floor((x * samples) / width);
    const to = Math.max(from + 1, Math.floor(((x + 1) * samples) / width));
    for (let sample = from; sample < Math.min(to, samples); sample++) {
      for (let layer = first; layer < last; layer++) {
        const code = codes[sample * layers + layer] ?? 0;
        const place = (layer - first) * width + x;
        if (code > (out[place] ?? 0)) out[place] = code;
      }
    }
  }
  return out;
}

/** The worst status of each layer over all samples. */
export function worstByLayer(codes: Uint8Array, samples: number, layers: number): Uint8Array {
  const out = new Uint8Array(layers);
  for (let sample = 0; sample < samples; sample++) {
    for (let layer = 0; layer < layers; layer++) {
      const code = codes[sample * layers + layer] ?? 0;
      if (code > (out[layer] ?? 0)) out[layer] = code;
    }
  }
  return out;
}
