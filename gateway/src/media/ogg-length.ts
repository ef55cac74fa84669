const PAGE_HEADER_BYTES = 27;
/** Header, 255 segment lengths and 255 full segments. */
const MAX_PAGE_BYTES = PAGE_HEADER_BYTES + 255 + 255 * 255;

type Page = {
  /** Position in samples at the end of the page; -1 if no packet ends in it. */
  readonly samples: bigint;
  readonly stream: number;
};

/**
 * Duration, by the sample position of the last whole page. Null: nothing follows the headers. Undefined: the file does
 * not say, such as with several chained streams.
 */
export function oggLengthMs(bytes: Uint8Array): number | null | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = pageAt(view, 0);
  const last = lastPage(view);
  if (first === null || last === null || last.samples === 0n) return null;
  const clock = clockOf(view, PAGE_HEADER_BYTES + view.getUint8(26));
  if (clock === null || last.samples < 0n || last.stream !== first.stream) return undefined;
  const samples = Number(last.samples) - clock.skipped;
  return samples <= 0 ? null : Math.max(1, Math.round((samples / clock.perSecond) * 1_000));
}

/** The first page is skipped, since it holds no sound. If the last page is cut off, the one before it is whole. */
function lastPage(view: DataView): Page | null {
  const file = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const start = Math.max(1, file.byteLength - 2 * MAX_PAGE_BYTES);
  for (let at = file.lastIndexOf("OggS"); at >= start; at = file.lastIndexOf("OggS", at - 1)) {
    const page = pageAt(view, at);
    if (page !== null) return page;
  }
  return null;
}

function pageAt(view: DataView, at: number): Page | null {
  const table = at + PAGE_HEADER_BYTES;
  if (table > view.byteLength || view.getUint8(at + 4) !== 0) return null;
  const segments = view.getUint8(at + 26);
  if (table + segments > view.byteLength) return null;
  let end = table + segments;
  for (let segment = table; segment < table + segments; segment += 1) end += view.getUint8(segment);
  if (end > view.byteLength) return null;
  return { samples: view.getBigInt64(at + 6, true), stream: view.getUint32(at + 14, true) };
}

/** Samples per second, from the packet that identifies the codec, and how many samples players skip at the start. */
function clockOf(
  view: DataView,
  at: number,
): { readonly perSecond: number; readonly skipped: number } | null {
  if (at + 40 > view.byteLength) return null;
  switch (view.getUint32(at)) {
    case 0x4f707573: // Opus
      return { perSecond: 48_000, skipped: view.getUint16(at + 10, true) };
    case 0x01766f72: // Vorbis
      return clock(view.getUint32(at + 12, true));
    case 0x7f464c41: // FLAC
      return clock(view.getUint32(at + 27) >>> 12);
    case 0x53706565: // Speex
      return clock(view.getUint32(at + 36, true));
    default:
      return null;
  }
}

function clock(perSecond: number): { readonly perSecond: number; readonly skipped: number } | null {
  return perSecond === 0 ? null : { perSecond, skipped: 0 };
}
