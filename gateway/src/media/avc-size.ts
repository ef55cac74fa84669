import { Bits } from "./bits.ts";
import { coveringSize, type ImageSize } from "./covering-size.ts";

/** Profiles whose headers have additional colour fields. */
const RICH_PROFILES: ReadonlySet<number> = new Set([
  100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
]);
const SAMPLES_PER_BLOCK = 16;
/** The largest side that container formats can express; no decoder produces more. */
const MAX_SIDE = 65_535;

/** How many bytes of headers may still be read in a whole file; below zero afterwards if there were more. */
export type AvcBudget = { bytes: number };

/**
 * The largest picture that H.264 video announces in its `avcC`: decoders produce this size, whatever the container
 * says. Null if there is none, or it is cut off.
 */
export function avcSize(configuration: Uint8Array, budget: AvcBudget): ImageSize | null {
  const headers = (configuration[5] ?? 0) & 0x1f;
  let size: ImageSize | null = null;
  let at = 6;
  for (let header = 0; header < headers && at + 2 <= configuration.length; header++) {
    const end = at + 2 + (configuration[at] as number) * 256 + (configuration[at + 1] as number);
    const bytes = configuration.subarray(at + 3, end);
    budget.bytes -= bytes.length;
    if (budget.bytes < 0) return null;
    size = coveringSize(size, sizeIn(new Bits(unescaped(bytes))));
    at = end;
  }
  return size;
}

/** Removes emulation prevention: encoders insert a 3 after two zeros, so that no data looks like a start code. */
function unescaped(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 3 || bytes[at - 1] !== 0 || bytes[at - 2] !== 0);
}

/** The size has no fixed offset, so all fields before it have to be read. */
function sizeIn(bits: Bits): ImageSize | null {
  const profile = bits.take(8);
  bits.take(16);
  takeNumber(bits);
  const colour = RICH_PROFILES.has(profile) ? takeColour(bits) : { across: 2, down: 2 };
  takeNumber(bits);
  passOrder(bits);
  takeNumber(bits);
  bits.take(1);
  const across = takeNumber(bits) + 1;
  const down = takeNumber(bits) + 1;
  const fields = bits.take(1) === 1 ? 1 : 2;
  // Skips the flags for block coding: one bit for whole frames, two for pairs of fields.
  bits.take(fields);
  const [left, right, top, bottom] = bits.take(1) === 1 ? takeFour(bits) : [0, 0, 0, 0];
  const width = across * SAMPLES_PER_BLOCK - (left + right) * colour.across;
  const height = (down * SAMPLES_PER_BLOCK - (top + bottom) * colour.down) * fields;
  const canBe = [width, height].every((side) => side > 0 && side <= MAX_SIDE);
  return bits.isCut || !canBe ? null : { width, height };
}

/** How many samples share one colour sample in each direction: the unit in which edges are cropped. */
function takeColour(bits: Bits): { readonly across: number; readonly down: number } {
  const format = takeNumber(bits);
  if (format === 3) bits.take(1);
  takeNumber(bits);
  takeNumber(bits);
  bits.take(1);
  if (bits.take(1) === 1) passScalingLists(bits, format === 3 ? 12 : 8);
  return { across: format === 1 || format === 2 ? 2 : 1, down: format === 1 ? 2 : 1 };
}

function passScalingLists(bits: Bits, lists: number): void {
  for (let list = 0; list < lists && !bits.isCut; list++) {
    if (bits.take(1) === 0) continue;
    let scale = 8;
    // A scale of zero ends the list.
    for (let place = 0; place < (list < 6 ? 16 : 64) && scale !== 0; place++) {
      scale = (scale + takeSigned(bits) + 256) % 256;
    }
  }
}

/** Skips the picture order count. */
function passOrder(bits: Bits): void {
  const kind = takeNumber(bits);
  if (kind === 0) takeNumber(bits);
  if (kind !== 1) return;
  bits.take(1);
  takeNumber(bits);
  takeNumber(bits);
  const pictures = takeNumber(bits);
  for (let picture = 0; picture < pictures && !bits.isCut; picture++) takeNumber(bits);
}

function takeFour(bits: Bits): [number, number, number, number] {
  return [takeNumber(bits), takeNumber(bits), takeNumber(bits), takeNumber(bits)];
}

/** Exp-Golomb code: as many leading zeros as bits after the first one. */
function takeNumber(bits: Bits): number {
  let zeros = 0;
  while (zeros < 32 && bits.take(1) === 0) zeros++;
  return 2 ** zeros - 1 + bits.take(zeros);
}

function takeSigned(bits: Bits): number {
  const number = takeNumber(bits);
  return number % 2 === 1 ? (number + 1) / 2 : -number / 2;
}
