import { Bits } from "./bits.ts";
import { coveringSize, type ImageSize } from "./covering-size.ts";

/**
 * How many units (OBUs) of coded video, and how many bits of their headers, may still be read in all parts of a file
 * together. A value below zero afterwards means that there were more.
 */
export type Av1Budget = { units: number; bits: number };

const SEQUENCE_HEADER = 1;

/**
 * The largest frame that AV1 video announces. Decoders allocate by its sequence header, whatever the container says.
 * Null if there is none, for example because the file is cut off before it.
 */
export function av1Size(bytes: Uint8Array, budget: Av1Budget): ImageSize | null {
  let size: ImageSize | null = null;
  for (let at = 0; at < bytes.length && --budget.units >= 0 && budget.bits >= 0; ) {
    const header = bytes[at] as number;
    at += (header & 0x04) === 0 ? 1 : 2;
    const hasLength = (header & 0x02) !== 0;
    const length = hasLength ? readLength(bytes, at) : { value: bytes.length - at, end: at };
    if (length === null) return size;
    const end = length.end + length.value;
    const kind = (header >> 3) & 0x0f;
    if (kind === SEQUENCE_HEADER) {
      const bits = new Bits(bytes.subarray(length.end, end));
      size = coveringSize(size, sizeIn(bits));
      budget.bits -= bits.taken;
    }
    at = end;
  }
  return size;
}

/** LEB128: seven bits per byte, the lowest first. */
function readLength(bytes: Uint8Array, start: number): { value: number; end: number } | null {
  let value = 0;
  for (let place = 0; place < 8; place++) {
    const byte = bytes[start + place];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * place);
    if ((byte & 0x80) === 0) return { value, end: start + place + 1 };
  }
  return null;
}

/** The size has no fixed offset, so all fields before it have to be read. */
function sizeIn(bits: Bits): ImageSize | null {
  bits.take(4);
  const isReduced = bits.take(1) === 1;
  if (isReduced) bits.take(5);
  else passOperatingPoints(bits);
  const widthBits = bits.take(4) + 1;
  const heightBits = bits.take(4) + 1;
  const size = { width: bits.take(widthBits) + 1, height: bits.take(heightBits) + 1 };
  return bits.isCut ? null : size;
}

function passOperatingPoints(bits: Bits): void {
  const hasTiming = bits.take(1) === 1;
  const delayBits = hasTiming ? passTiming(bits) : 0;
  const hasDisplayDelay = bits.take(1) === 1;
  const points = bits.take(5) + 1;
  for (let point = 0; point < points && !bits.isCut; point++) {
    bits.take(12);
    const level = bits.take(5);
    if (level > 7) bits.take(1);
    if (delayBits > 0 && bits.take(1) === 1) {
      bits.take(delayBits);
      bits.take(delayBits);
      bits.take(1);
    }
    if (hasDisplayDelay && bits.take(1) === 1) bits.take(4);
  }
}

/** Returns the number of bits of a decoder delay field; 0 if there are no such fields. */
function passTiming(bits: Bits): number {
  bits.take(32);
  bits.take(32);
  const isEven = bits.take(1) === 1;
  if (isEven) passCount(bits);
  const hasDecoderModel = bits.take(1) === 1;
  if (!hasDecoderModel) return 0;
  const delayBits = bits.take(5) + 1;
  bits.take(32);
  bits.take(10);
  return delayBits;
}

/** Exp-Golomb code: as many leading zeros as bits after the first one. */
function passCount(bits: Bits): void {
  let zeros = 0;
  while (zeros < 32 && bits.take(1) === 0) zeros++;
  if (zeros < 32) bits.take(zeros);
}
