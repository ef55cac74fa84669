import type { InputAudioTrack } from "mediabunny";
import { createMp3Encoder } from "../sound/encode-mp3.ts";
import { resample } from "../sound/resample.ts";
import { readSides } from "./pcm-sides.ts";

const MP3_RATES: ReadonlySet<number> = new Set([16_000, 22_050, 24_000, 32_000, 44_100, 48_000]);
const USUAL_RATE = 44_100;

/** The first seconds as MP3, since browsers play no uncompressed audio in an MP4; null for any other track. */
export async function encodePcmTrack(track: InputAudioTrack, maxSeconds: number): Promise<Uint8Array | null> {
  const rate = await track.getSampleRate();
  if (rate < 4_000 || rate > 384_000) return null;
  const sides = await readSides(track, Math.ceil(rate * maxSeconds));
  if (sides === null) return null;
  const sampleRate = MP3_RATES.has(rate) ? rate : USUAL_RATE;
  const fit = (samples: Float32Array) =>
    sampleRate === rate ? samples : resample(samples, rate / sampleRate);
  const encoder = await createMp3Encoder({ sampleRate, channels: 2, bitrate: 192 });
  encoder.add([fit(sides[0]), fit(sides[1])]);
  return encoder.finish().bytes;
}
