import { type IsoBox, isoBoxesAt, isoHandler, isoLengthMs, isoTopBoxes } from "../../kit/index.ts";
import { fragmentedLengthMs } from "./video-fragments.ts";
import { videoSize } from "./video-size.ts";

type VideoHead = {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Null where its tracks do not say what they are. */
  readonly hasSound: boolean | null;
};

/** Of one video, at all levels together: a minute in fragments of one picture has half of them. */
const MAX_BOXES = 131_072;
/** Of its fragments; an hour has half of them. */
const MAX_SAMPLES = 1_000_000;

/**
 * Size and length of an MP4 as its headers say; nothing of it is decoded. Null where there is no video behind the
 * headers, or it is cut off.
 */
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

/** What the video says of itself, or else its longest track. 0: neither does; null: broken. */
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
