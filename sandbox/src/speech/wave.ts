import { assert } from "../../../gateway/src/kit/index.ts";

/** The samples of a 16-bit mono WAV file, which is all that our synthesizer writes. */
export function readWave(bytes: Uint8Array): { samples: Float32Array; sampleRate: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert(bytes.length >= 44 && view.getUint32(0) === 0x52494646, "a RIFF file");
  let sampleRate = 0;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const name = view.getUint32(at);
    const size = Math.min(view.getUint32(at + 4, true), bytes.length - at - 8);
    if (name === 0x666d7420) {
      assert(view.getUint16(at + 10, true) === 1 && view.getUint16(at + 22, true) === 16, "16 bits, mono");
      sampleRate = view.getUint32(at + 12, true);
    }
    if (name === 0x64617461) {
      const samples = new Float32Array(size >> 1);
      for (let index = 0; index < samples.length; index++) {
        samples[index] = view.getInt16(at + 8 + index * 2, true) / 32_768;
      }
      return { samples, sampleRate };
    }
    at += 8 + size + (size & 1);
  }
  throw new Error("a wave file without data");
}
