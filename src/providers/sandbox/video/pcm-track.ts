import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from "mediabunny";
import { createMp3Encoder } from "../sound/encode-mp3.ts";
import { resample } from "../sound/resample.ts";

/** Uncompressed sound by its codec's name: bytes per sample, and how one is read. */
const READERS: Readonly<
  Record<string, readonly [sizeBytes: number, read: (view: DataView, at: number) => number]>
> = {
  "pcm-u8": [1, (view, at) => (view.getUint8(at) - 128) / 128],
  "pcm-s16": [2, (view, at) => view.getInt16(at, true) / 32_768],
  "pcm-s24": [3, (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608],
  "pcm-s32": [4, (view, at) => view.getInt32(at, true) / 2_147_483_648],
  "pcm-f32": [4, (view, at) => view.getFloat32(at, true)],
};

const MP3_RATES: ReadonlySet<number> = new Set([16_000, 22_050, 24_000, 32_000, 44_100, 48_000]);
const USUAL_RATE = 44_100;
const MAX_CHANNELS = 8;

/** The first seconds of it as MP3, since browsers play nothing uncompressed in an MP4; null where it is no such track. */
export async function encodePcmTrack(track: InputAudioTrack, maxSeconds: number): Promise<Uint8Array | null> {
  const reader = READERS[(await track.getCodec()) ?? ""];
  const [rate, count] = [await track.getSampleRate(), await track.getNumberOfChannels()];
  if (reader === undefined || rate < 4_000 || rate > 384_000 || count < 1 || count > MAX_CHANNELS)
    return null;
  const [left, right] = await readChannels(track, { reader, count, most: Math.ceil(rate * maxSeconds) });
  const sampleRate = MP3_RATES.has(rate) ? rate : USUAL_RATE;
  const fit = (samples: Float32Array) =>
    sampleRate === rate ? samples : resample(samples, rate / sampleRate);
  const encoder = await createMp3Encoder({ sampleRate, channels: 2, bitrate: 192 });
  encoder.add([fit(left), fit(right)]);
  return encoder.finish().bytes;
}

type Reading = { readonly reader: (typeof READERS)[string]; readonly count: number; readonly most: number };

/** The first two channels; one alone is heard on both sides. */
async function readChannels(
  track: InputAudioTrack,
  { reader, count, most }: Reading,
): Promise<[Float32Array, Float32Array]> {
  const [sizeBytes, read] = reader;
  const left = new Float32Array(most);
  const right = count > 1 ? new Float32Array(most) : left;
  const packets = new EncodedPacketSink(track);
  let filled = 0;
  for (
    let packet: EncodedPacket | null = await packets.getFirstPacket();
    packet !== null && filled < most;
    packet = await packets.getNextPacket(packet)
  ) {
    const view = new DataView(packet.data.buffer, packet.data.byteOffset, packet.data.byteLength);
    const frames = Math.min(most - filled, Math.floor(view.byteLength / (sizeBytes * count)));
    for (let frame = 0; frame < frames; frame++) {
      left[filled + frame] = read(view, frame * sizeBytes * count);
      if (count > 1) right[filled + frame] = read(view, frame * sizeBytes * count + sizeBytes);
    }
    filled += frames;
  }
  return [left.subarray(0, filled), right.subarray(0, filled)];
}
