import { type AvcBudget, avcSize } from "./avc-size.ts";
import { type IsoBox, type IsoBudget, isoBoxesAt, isoBoxesIn, isoHandler, isoTopBoxes } from "./iso-boxes.ts";
import { isoLengthMs } from "./iso-length.ts";
import { fragmentedLengthMs } from "./video-fragments.ts";

type Size = { readonly width: number; readonly height: number };

type SizeBudget = IsoBudget & AvcBudget;

/** Limit for codec headers; a real video has one or two hundred bytes of them. */
const MAX_CODED_BYTES = 65_536;

const UNKNOWN = { width: null, height: null } as const;

/**
 * The largest size stated by any track, in its header or its sample descriptions: a small one must not hide a large
 * one. Unknown if there is more to inspect than any real file has.
 */
function videoSize(movie: Uint8Array, { boxes }: IsoBudget): Size | typeof UNKNOWN {
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

type VideoHead = {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Null if the tracks do not state their kind. */
  readonly hasSound: boolean | null;
};

/** Limit per video, at all levels together; a minute of one-frame fragments has half as many. */
const MAX_BOXES = 131_072;
/** Limit for all fragments; an hour has half as many. */
const MAX_SAMPLES = 1_000_000;

/** Size and duration from an MP4's headers; nothing is decoded. Null if no video follows them, or they are cut off. */
export function videoHead(bytes: Uint8Array): VideoHead | null {
  const budget = { boxes: MAX_BOXES, samples: MAX_SAMPLES };
  const boxes = isoTopBoxes(bytes, budget) ?? [];
  const movie = boxes.find(({ type }) => type === "moov")?.bytes;
  const hasContent = boxes.some((box) => box.type === "mdat" && box.bytes.byteLength > 0);
  if (movie === undefined || !hasContent) return null;
  const fragments = boxes.filter(({ type }) => type === "moof");
  const told = toldLengthMs(movie);
  if (told === null || (told === 0 && fragments.length === 0)) return null;
  return {
    ...videoSize(movie, budget),
    durationMs: fragments.length === 0 ? told : fragmentedLengthMs(movie, fragments, budget),
    hasSound: hasSound(isoBoxesAt(movie, ["trak", "mdia", "hdlr"])),
  };
}

/** Duration from the movie header, or else of its longest track. 0 if neither says; null if the header is broken. */
function toldLengthMs(movie: Uint8Array): number | null {
  const [header] = isoBoxesAt(movie, ["mvhd"]);
  const length = header === undefined ? null : isoLengthMs(header.bytes);
  if (length !== 0) return length === null ? null : Math.max(1, Math.round(length));
  const tracks = isoBoxesAt(movie, ["trak", "mdia", "mdhd"]).map((track) => isoLengthMs(track.bytes) ?? 0);
  return Math.ceil(tracks.reduce((longest, track) => Math.max(longest, track), 0));
}

function hasSound(handlers: readonly IsoBox[]): boolean | null {
  return handlers.length === 0 ? null : handlers.some((handler) => isoHandler(handler) === "soun");
}
