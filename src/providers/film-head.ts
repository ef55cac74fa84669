import { isoBoxesAt } from "../kit/index.ts";

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

/** Of the long form every number of time has eight bytes. */
function lengthMs(header: Uint8Array): number | null {
  const isLong = header[0] === 1;
  if (header.byteLength < (isLong ? 32 : 20)) return null;
  const view = viewOf(header);
  const ticksPerSecond = view.getUint32(isLong ? 20 : 12);
  const ticks = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
  return ticksPerSecond === 0 || ticks === 0 ? null : Math.round((ticks / ticksPerSecond) * 1_000);
}

/** The last eight bytes, in sixteenths of bits after the point; sound has none. */
function trackSize(header: Uint8Array): { readonly width: number; readonly height: number } {
  const end = header.byteLength;
  if (end < 84) return { width: 0, height: 0 };
  const view = viewOf(header);
  return { width: view.getUint16(end - 8), height: view.getUint16(end - 4) };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
