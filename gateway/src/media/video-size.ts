import { type AvcBudget, avcSize } from "./avc-size.ts";
import { type IsoBudget, isoBoxesAt, isoBoxesIn, isoHandler } from "./iso-boxes.ts";

type Size = { readonly width: number; readonly height: number };

type SizeBudget = IsoBudget & AvcBudget;

/** Limit for codec headers; a real video has one or two hundred bytes of them. */
const MAX_CODED_BYTES = 65_536;

const UNKNOWN = { width: null, height: null } as const;

/**
 * The largest size stated by any track, in its header or its sample descriptions: a small one must not hide a large
 * one. Unknown if there is more to inspect than any real file has.
 */
export function videoSize(movie: Uint8Array, { boxes }: IsoBudget): Size | typeof UNKNOWN {
  const budget: SizeBudget = { boxes, bytes: MAX_CODED_BYTES };
  const sizes = isoBoxesAt(movie, ["trak"], budget).flatMap(({ bytes }) => [
    ...isoBoxesAt(bytes, ["tkhd"], budget).map((header) => sizeInHeader(header.bytes)),
    ...sampleSizes(bytes, budget),
  ]);
  if (budget.boxes < 0 || budget.bytes < 0) return UNKNOWN;
  const largest = sizes.reduce((best, size) => (areaOf(size) > areaOf(best) ? size : best), NOTHING);
  return areaOf(largest) === 0 ? UNKNOWN : largest;
}

const NOTHING: Size = { width: 0, height: 0 };

const areaOf = ({ width, height }: Size) => width * height;

/** Width and height are the last eight bytes, as 16.16 fixed point; audio tracks have zeros. */
function sizeInHeader(header: Uint8Array): Size {
  return header.byteLength < 84 ? NOTHING : sizeAt(header, header.byteLength - 8, 4);
}

/** The sizes in the sample descriptions of a video track; other tracks store something else there. */
function sampleSizes(track: Uint8Array, budget: SizeBudget): readonly Size[] {
  const handlers = isoBoxesAt(track, ["mdia", "hdlr"], budget).map(isoHandler);
  if (!handlers.includes("vide")) return [];
  const kinds = isoBoxesAt(track, ["mdia", "minf", "stbl", "stsd"], budget);
  return kinds.flatMap((kind) =>
    isoBoxesIn(kind.bytes.subarray(8), budget).flatMap(({ bytes }) => sizesOfKind(bytes, budget)),
  );
}

/** The stated size, and for H.264 also the decoded one, which players use. */
function sizesOfKind(kind: Uint8Array, budget: SizeBudget): readonly Size[] {
  if (kind.byteLength < 28) return [];
  const decoded = isoBoxesAt(kind.subarray(78), ["avcC"], budget).map(({ bytes }) => avcSize(bytes, budget));
  return [sizeAt(kind, 24, 2), ...decoded.filter((size) => size !== null)];
}

function sizeAt(bytes: Uint8Array, at: number, apart: number): Size {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint16(at), height: view.getUint16(at + apart) };
}
