/** Uncompressed audio: one array per channel, all of the same length; 1 is full scale. */
export type Pcm = {
  readonly sampleRate: number;
  readonly channels: readonly [Float32Array] | readonly [Float32Array, Float32Array];
};

export function peakOf({ channels }: Pcm): number {
  let peak = 0;
  for (const samples of channels) {
    for (let at = 0; at < samples.length; at++) {
      const size = Math.abs(samples[at] ?? 0);
      if (size > peak) peak = size;
    }
  }
  return peak;
}
