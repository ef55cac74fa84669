import { type IsoBox, isoBoxesAt, isoHandler, isoTopBoxes } from "./iso-boxes.ts";
import { isoLengthMs } from "./iso-length.ts";
import { fragmentedLengthMs } from "./video-fragments.ts";
import { videoSize } from "./video-size.ts";

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
