import {
  type AvcBudget,
  avcSize,
  type IsoBudget,
  isoBoxesAt,
  isoBoxesIn,
  isoHandler,
} from "../../kit/index.ts";

type Size = { readonly width: number; readonly height: number };

type SizeBudget = IsoBudget & AvcBudget;

/** Of the headers of its pictures; a real video has a hundred or two. */
const MAX_CODED_BYTES = 65_536;

const UNKNOWN = { width: null, height: null } as const;

/**
 * The largest that any of its tracks says, in its header or of its samples: a small one must not hide a large one.
 * Unknown where there is more to look at than anybody writes.
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

/** The last eight bytes, in sixteenths of bits after the point; sound has none. */
function sizeInHeader(header: Uint8Array): Size {
  return header.byteLength < 84 ? NOTHING : sizeAt(header, header.byteLength - 8, 4);
}

/** What each kind of its samples says, if they are pictures: of others something else stands there. */
function sampleSizes(track: Uint8Array, budget: SizeBudget): readonly Size[] {
  const handlers = isoBoxesAt(track, ["mdia", "hdlr"], budget).map(isoHandler);
  if (!handlers.includes("vide")) return [];
  const kinds = isoBoxesAt(track, ["mdia", "minf", "stbl", "stsd"], budget);
  return kinds.flatMap((kind) =>
    isoBoxesIn(kind.bytes.subarray(8), budget).flatMap(({ bytes }) => sizesOfKind(bytes, budget)),
  );
}

/** Its own, and the one that it is decoded to where that is H.264: players go by the latter. */
function sizesOfKind(kind: Uint8Array, budget: SizeBudget): readonly Size[] {
  if (kind.byteLength < 28) return [];
  const decoded = isoBoxesAt(kind.subarray(78), ["avcC"], budget).map(({ bytes }) => avcSize(bytes, budget));
  return [sizeAt(kind, 24, 2), ...decoded.filter((size) => size !== null)];
}

function sizeAt(bytes: Uint8Array, at: number, apart: number): Size {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint16(at), height: view.getUint16(at + apart) };
}
