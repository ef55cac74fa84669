import { isoBoxesAt, isoLengthMs } from "../kit/index.ts";

export type FilmHead = {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
};

/** Size and length of an MP4 as its headers say; nothing of it is decoded. */
export function filmHead(bytes: Uint8Array): FilmHead {
  const [movie] = isoBoxesAt(bytes, ["moov", "mvhd"]);
  const sizes = isoBoxesAt(bytes, ["moov", "trak", "tkhd"]).map((box) => trackSize(box.bytes));
  const picture = sizes.find(({ width, height }) => width > 0 && height > 0);
  return {
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    durationMs: movie === undefined ? null : lengthMs(movie.bytes),
  };
}

function lengthMs(header: Uint8Array): number | null {
  const length = isoLengthMs(header);
  return length === null || length === 0 ? null : Math.round(length);
}

/** The last eight bytes, in sixteenths of bits after the point; sound has none. */
function trackSize(header: Uint8Array): { readonly width: number; readonly height: number } {
  const end = header.byteLength;
  if (end < 84) return { width: 0, height: 0 };
  const view = new DataView(header.buffer, header.byteOffset, end);
  return { width: view.getUint16(end - 8), height: view.getUint16(end - 4) };
}
