import { type EncodedPacket, EncodedPacketSink, type InputAudioTrack } from "mediabunny";

/** Uncompressed audio by codec name: bytes per sample, and how to read one. */
const READERS: Readonly<
  Record<string, readonly [sizeBytes: number, read: (view: DataView, at: number) => number]>
> = {
  "pcm-u8": [1, (view, at) => (view.getUint8(at) - 128) / 128],
  "pcm-s16": [2, (view, at) => view.getInt16(at, true) / 32_768],
  "pcm-s24": [3, (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608],
  "pcm-s32": [4, (view, at) => view.getInt32(at, true) / 2_147_483_648],
  "pcm-f32": [4, (view, at) => view.getFloat32(at, true)],
};

/** How much of a channel goes to the left, and to the right. */
type Share = readonly [left: number, right: number];
const LEFT: Share = [1, 0];
const RIGHT: Share = [0, 1];
const MIDDLE: Share = [Math.SQRT1_2, Math.SQRT1_2];
const FAR_LEFT: Share = [Math.SQRT1_2, 0];
const FAR_RIGHT: Share = [0, Math.SQRT1_2];
/** Low-frequency effects, which stereo leaves out. */
const NOWHERE: Share = [0, 0];

/** By number of channels, in WAV order. */
const SHARES: Readonly<Record<number, readonly Share[]>> = {
  1: [[1, 1]],
  2: [LEFT, RIGHT],
  3: [LEFT, RIGHT, MIDDLE],
  4: [LEFT, RIGHT, FAR_LEFT, FAR_RIGHT],
  5: [LEFT, RIGHT, MIDDLE, FAR_LEFT, FAR_RIGHT],
  6: [LEFT, RIGHT, MIDDLE, NOWHERE, FAR_LEFT, FAR_RIGHT],
  7: [LEFT, RIGHT, MIDDLE, NOWHERE, MIDDLE, FAR_LEFT, FAR_RIGHT],
  8: [LEFT, RIGHT, MIDDLE, NOWHERE, FAR_LEFT, FAR_RIGHT, FAR_LEFT, FAR_RIGHT],
};

/** At most `most` samples of the left and right mix; null if it is not uncompressed audio. */
export async function readSides(
  track: InputAudioTrack,
  most: number,
): Promise<[Float32Array, Float32Array] | null> {
  const reader = READERS[(await track.getCodec()) ?? ""];
  const shares = SHARES[await track.getNumberOfChannels()];
  if (reader === undefined || shares === undefined) return null;
  const [sizeBytes, read] = reader;
  const frameBytes = sizeBytes * shares.length;
  const [left, right] = [new Float32Array(most), new Float32Array(most)];
  const packets = new EncodedPacketSink(track);
  let filled = 0;
  for (
    let packet: EncodedPacket | null = await packets.getFirstPacket();
    packet !== null && filled < most;
    packet = await packets.getNextPacket(packet)
  ) {
    const view = new DataView(packet.data.buffer, packet.data.byteOffset, packet.data.byteLength);
    const frames = Math.min(most - filled, Math.floor(view.byteLength / frameBytes));
    for (const [channel, [onLeft, onRight]] of shares.entries()) {
      for (let frame = 0; frame < frames; frame++) {
        const given = read(view, frame * frameBytes + channel * sizeBytes);
        const sample = shares.length > 2 ? believable(given) : given;
        const at = filled + frame;
        if (onLeft > 0) left[at] = (left[at] ?? 0) + sample * onLeft;
        if (onRight > 0) right[at] = (right[at] ?? 0) + sample * onRight;
      }
    }
    filled += frames;
  }
  const sides: [Float32Array, Float32Array] = [left.subarray(0, filled), right.subarray(0, filled)];
  if (shares.length > 2) soften(sides);
  return sides;
}

/** A broken sample must not make all others quieter. */
function believable(sample: number): number {
  return Number.isNaN(sample) ? 0 : Math.min(Math.max(sample, -1), 1);
}

/** The mix of several channels may exceed full scale; then both sides are scaled down equally. */
function soften(sides: readonly Float32Array[]): void {
  let peak = 1;
  for (const side of sides) for (const sample of side) peak = Math.max(peak, Math.abs(sample));
  for (const side of sides) for (let at = 0; at < side.length; at++) side[at] = (side[at] ?? 0) / peak;
}
