/** A raised cosine at both ends, in place: an abrupt edge is heard as a click. */
export function fadeEdges(samples: Float32Array, inSamples: number, outSamples: number): void {
  const rise = Math.min(inSamples, samples.length);
  for (let at = 0; at < rise; at++) samples[at] = (samples[at] ?? 0) * slope(at / rise);
  const fall = Math.min(outSamples, samples.length);
  for (let left = 0; left < fall; left++) {
    const at = samples.length - 1 - left;
    samples[at] = (samples[at] ?? 0) * slope(left / fall);
  }
}

function slope(part: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * part);
}
