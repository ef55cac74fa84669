import type { GivenFile, VideoRequest } from "../../../gateway/src/contract/index.ts";

/** The smallest request, with only a prompt. */
export const SMALL_REQUEST = {
  task: "text_to_video",
  prompt: "a cat by the sea",
  durationMs: 1_000,
  resolution: "480p",
  aspectRatio: "1:1",
  sound: false,
  draft: true,
  keepAudio: true,
  seed: 7,
  referenceImage: null,
  referenceVideo: null,
  referenceAudio: null,
} as const satisfies VideoRequest<GivenFile>;

/** A mono WAV with a plain tone. */
export function toneWave(seconds: number): Uint8Array {
  return wave(seconds, [9_000]);
}

/** A WAV with the same plain tone on every channel; `peaks` are the amplitudes, of 32,767. */
export function wave(seconds: number, peaks: readonly number[]): Uint8Array {
  const [rate, count] = [22_050, Math.round(22_050 * seconds)];
  const frameBytes = peaks.length * 2;
  const bytes = new Uint8Array(44 + count * frameBytes);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at);
  text(0, "RIFF");
  view.setUint32(4, 36 + count * frameBytes, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, peaks.length, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, count * frameBytes, true);
  for (let at = 0; at < count; at++) {
    for (const [channel, peak] of peaks.entries()) {
      view.setInt16(44 + at * frameBytes + channel * 2, Math.sin(at * 0.12) * peak, true);
    }
  }
  return bytes;
}

const BLOCK_SAMPLES = 4096;

/** A silent mono FLAC: every block has one sample value for all. */
export function silentFlac(blocks: number): Uint8Array {
  const info = new Uint8Array(42);
  info.set(new TextEncoder().encode("fLaC"));
  const view = new DataView(info.buffer);
  view.setUint32(4, 0x80000022);
  view.setUint16(8, BLOCK_SAMPLES);
  view.setUint16(10, BLOCK_SAMPLES);
  // 20 bits of sample rate, 3 of channels minus one, 5 of bits per sample minus one, then the number of samples.
  view.setUint32(18, (44_100 << 12) | (15 << 4));
  view.setUint32(22, blocks * BLOCK_SAMPLES);
  const frames = Array.from({ length: blocks }, (_, at) => {
    const head = [0xff, 0xf8, 0xc9, 0x08, at];
    const body = [...head, remainder(head, 8, 0x07), 0, 0, 0];
    const end = remainder(body, 16, 0x8005);
    return [...body, end >> 8, end & 0xff];
  });
  return new Uint8Array([...info, ...frames.flat()]);
}

/** A CRC of `bits` bits with this polynomial. */
function remainder(bytes: readonly number[], bits: number, polynomial: number): number {
  const [top, mask] = [1 << (bits - 1), (1 << bits) - 1];
  return bytes.reduce((sum, byte) => {
    let rest = sum ^ (byte << (bits - 8));
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & top ? polynomial : 0)) & mask;
    return rest;
  }, 0);
}
