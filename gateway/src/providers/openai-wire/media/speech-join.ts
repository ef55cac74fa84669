import { afterId3Tag, sniffMediaType } from "../../../media/index.ts";
import { joinWav, unjoinable } from "../../media/join-wav.ts";

/** Joins parts that were spoken one after the other; all must have the same type, as those of one server do. */
export function joinSpeech(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const types = new Set(parts.map(sniffMediaType));
  if (types.size === 1 && types.has("audio/mpeg")) return joinMp3(parts);
  if (types.size === 1 && types.has("audio/wav")) return joinWav(parts, "wav");
  throw unjoinable("parts of several kinds");
}

/** MP3 frames are independent, so they can be concatenated; metadata about a whole file cannot. */
function joinMp3(parts: readonly Uint8Array[]): Uint8Array {
  const sounds = parts.map(bareFrames);
  const rates = new Set(sounds.map(rateOf));
  if (rates.size > 1) throw unjoinable("parts of different rates");
  return Buffer.concat(sounds);
}

/** MPEG version and sample rate, which decoders do not expect to change within a file. */
function rateOf(frames: Uint8Array): string {
  return `${(frames[1] ?? 0) & 0x18} ${(frames[2] ?? 0) & 0x0c}`;
}

const ID3V1_BYTES = 128;
/** Marks of a frame without sound that states the length of its file, which would be wrong for the joined one. */
const LENGTH_MARKS = ["Xing", "Info", "VBRI"];
const LENGTH_FRAME_LOOK_BYTES = 64;

function bareFrames(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - (textAt(bytes, bytes.length - ID3V1_BYTES, 3) === "TAG" ? ID3V1_BYTES : 0);
  const frames = bytes.subarray(afterId3Tag(bytes) ?? 0, end);
  const opening = textAt(frames, 0, LENGTH_FRAME_LOOK_BYTES);
  if (!LENGTH_MARKS.some((mark) => opening.includes(mark))) return frames;
  const next = nextFrameAt(frames);
  return next === null ? frames : frames.subarray(next);
}

/** Where the second frame with the same version, layer and sample rate begins. */
function nextFrameAt(frames: Uint8Array): number | null {
  for (let at = 4; at + 2 < frames.length; at += 1) {
    const isAlike =
      frames[at] === 0xff &&
      frames[at + 1] === frames[1] &&
      ((frames[at + 2] ?? 0) & 0x0c) === ((frames[2] ?? 0) & 0x0c);
    if (isAlike) return at;
  }
  return null;
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return start < 0 ? "" : String.fromCharCode(...bytes.subarray(start, start + length));
}
