import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputAudioTrack } from "mediabunny";
import { createMp3Encoder } from "../sound/encode-mp3.ts";
import { resample } from "../sound/resample.ts";
import { readSides } from "./pcm-sides.ts";

const MP3_RATES: ReadonlySet<number> = new Set([16_000, 22_050, 24_000, 32_000, 44_100, 48_000]);
const USUAL_RATE = 44_100;

/** The first seconds as MP3, since browsers play no uncompressed audio in an MP4; null for any other track. */
async function encodePcmTrack(track: InputAudioTrack, maxSeconds: number): Promise<Uint8Array | null> {
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

/** A track to be copied into the video, packet by packet. */
export type SoundTrack = {
  readonly track: InputAudioTrack;
  readonly packets: EncodedPacketSink;
  close(): void;
};

/** Codecs that an MP4 may contain and browsers play; copied, not encoded again. */
const CARRIED: ReadonlySet<string> = new Set(["aac", "flac", "mp3", "opus"]);

/** Null if it has no sound, or none that a video can contain. */
export async function openSoundTrack(bytes: Uint8Array, maxSeconds: number): Promise<SoundTrack | null> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
  try {
    const track = await input.getPrimaryAudioTrack();
    const codec = await track?.getCodec();
    if (track && codec && CARRIED.has(codec)) {
      return { track, packets: new EncodedPacketSink(track), close: () => input.dispose() };
    }
    const packed = track ? await encodePcmTrack(track, maxSeconds) : null;
    input.dispose();
    return packed === null ? null : await openSoundTrack(packed, maxSeconds);
  } catch {
    // Not a known container.
    input.dispose();
    return null;
  }
}
