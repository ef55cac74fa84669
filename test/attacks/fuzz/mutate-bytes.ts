import type { Random } from "../../simulation/random.ts";

/** Bytes that parsers treat specially. */
const SHARP = Buffer.from('\0\t\n\r "\\{}[]:,/%?#&=;.@-\x7f\x80\xbf\xc0\xc2\xe2\xed\xf4\xff', "latin1");

export function randomBytes(random: Random, mostBytes: number): Buffer {
  const bytes = Buffer.alloc(random.between(0, mostBytes));
  const isSharp = random.chance(0.5);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = isSharp ? random.pick([...SHARP]) : random.between(0, 255);
  }
  return bytes;
}

/**
 * A few small changes at random places: most of the input stays valid, so that the deeper parts of a parser are
 * reached.
 */
export function mutateBytes(
  random: Random,
  given: Uint8Array,
  others: readonly Uint8Array[] = [],
): Buffer<ArrayBuffer> {
  let bytes = Buffer.from(given);
  for (let changes = random.between(1, 4); changes > 0; changes--) bytes = changeOnce(random, bytes, others);
  return bytes;
}

function changeOnce(
  random: Random,
  bytes: Buffer<ArrayBuffer>,
  others: readonly Uint8Array[],
): Buffer<ArrayBuffer> {
  const at = random.between(0, bytes.length);
  const end = Math.min(bytes.length, at + random.between(0, 16));
  const [before, within, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (random.between(0, 6)) {
    case 0:
      return Buffer.concat([before, Buffer.from([random.between(0, 255)]), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([before, Buffer.from([random.pick([...SHARP])]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, ...Array<Uint8Array>(random.between(1, 40)).fill(within), after]);
    case 4:
      return Buffer.concat([before, Buffer.alloc(within.length, random.pick([0, 0xff, 0x20])), after]);
    case 5:
      return Buffer.from(before);
    default: {
      const other = others.length === 0 ? bytes : random.pick(others);
      return Buffer.concat([before, other.subarray(random.between(0, other.length))]);
    }
  }
}
