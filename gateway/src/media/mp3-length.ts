import { afterId3Tag } from "./id3-tag.ts";

const BIT_RATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const HALF_BIT_RATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
/** Half a day of sound; anything longer is not measured to its end. */
const MAX_FRAMES = 2_000_000;
/** Limits per file: gaps where no frame follows, and bytes searched for the next one. */
const MAX_GAPS = 4_096;
const MAX_SEARCHED_BYTES = 1 << 20;

/** Between a tag and the first frame. */
const MAX_LEAD_BYTES = 65_536;
/** So many frames in a row are no accident. */
const LEAST_FRAMES = 4;

type Frame = { readonly sizeBytes: number; readonly seconds: number };

/**
 * Counts frame by frame, because with a variable bit rate any shortcut is a guess; null if there are no frames. Files
 * may be concatenated with their tags in between, and some are cut in the middle of a frame.
 */
export function mp3LengthMs(bytes: Uint8Array): number | null {
  let at: number | null = 0;
  let seconds = 0;
  const left = { gaps: MAX_GAPS, bytes: MAX_SEARCHED_BYTES };
  for (let count = 0; count < MAX_FRAMES && at !== null; count += 1) {
    const frame = frameAt(bytes, at);
    if (frame === null) {
      left.gaps -= 1;
      at = left.gaps < 0 ? null : (afterId3Tag(bytes, at) ?? nextFrameAt(bytes, at + 1, left));
    } else {
      at += frame.sizeBytes;
      if (at <= bytes.byteLength) seconds += frame.seconds;
    }
  }
  return seconds === 0 ? null : Math.round(seconds * 1_000);
}

/** Begins with a tag, or with a frame that another one follows. */
export function beginsAsMp3(bytes: Uint8Array): boolean {
  const frame = frameAt(bytes, 0);
  if (frame === null) return afterId3Tag(bytes, 0) !== null;
  return frameAt(bytes, frame.sizeBytes) !== null;
}

/** Whether frames follow each other from where the sound begins: any bytes have single ones among them. */
export function isMp3(bytes: Uint8Array): boolean {
  let at: number | null = 0;
  for (let tag: number | null = 0; tag !== null; tag = afterId3Tag(bytes, at)) at = tag;
  at = nextFrameAt(bytes, at, { bytes: MAX_LEAD_BYTES });
  for (let count = 0; count < LEAST_FRAMES && at !== null && at < bytes.byteLength; count += 1) {
    const frame = frameAt(bytes, at);
    at = frame && at + frame.sizeBytes;
  }
  return at !== null;
}

/** Where a tag begins, or a frame that another one follows: alone, any two bytes may look like one. */
function nextFrameAt(bytes: Uint8Array, from: number, left: { bytes: number }): number | null {
  for (let at = from; at < bytes.byteLength && left.bytes > 0; at += 1, left.bytes -= 1) {
    if (bytes[at] === 0x49 && afterId3Tag(bytes, at) !== null) return at;
    const frame = bytes[at] === 0xff ? frameAt(bytes, at) : null;
    if (frame !== null && frameAt(bytes, at + frame.sizeBytes) !== null) return at;
  }
  return null;
}

function frameAt(bytes: Uint8Array, at: number): Frame | null {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  const isThirdLayer = bytes[at] === 0xff && (second & 0xe6) === 0xe2;
  const version = (second >> 3) & 3;
  const sampleRate = SAMPLE_RATES[(third >> 2) & 3];
  if (!isThirdLayer || version === 1 || sampleRate === undefined) return null;
  const isFirst = version === 3;
  const bitRate = (isFirst ? BIT_RATES : HALF_BIT_RATES)[third >> 4] ?? 0;
  if (bitRate === 0) return null;
  const rate = sampleRate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = isFirst ? 1_152 : 576;
  const padding = (third >> 1) & 1;
  return {
    sizeBytes: Math.floor(((samples / 8) * bitRate * 1_000) / rate) + padding,
    seconds: samples / rate,
  };
}
