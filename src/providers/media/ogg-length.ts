const PAGE_HEADER_BYTES = 27;
/** The header, 255 segments and what they hold. */
const MAX_PAGE_BYTES = PAGE_HEADER_BYTES + 255 + 255 * 255;

type Page = {
  /** How many samples have been played at its end; -1: none ends in it. */
  readonly samples: bigint;
  readonly stream: number;
};

/**
 * How long it lasts, by the count of samples on its last whole page. Null: nothing stands behind the headers. Undefined:
 * it does not say, as where several streams follow each other.
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

/** Beside the first, which holds no sound. A page that is cut off is passed over: the one before it is whole. */
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

/** Samples in a second, by the packet that says what the stream is, and how many of them nobody hears. */
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
