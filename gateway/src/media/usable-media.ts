import { MAX_PIXELS } from "./image-size.ts";
import { isoBoxesAt, isoBoxesIn, isoHandler, isoTopBoxes } from "./iso-boxes.ts";
import { type MediaType, mediaKindOf } from "./media-type.ts";
import { isMp3 } from "./mp3-length.ts";
import { oggLengthMs } from "./ogg-length.ts";
import { wavLengthMs } from "./wav.ts";

/** Parts of a file before its first sample: a real one has a few dozen. */
const MAX_PARTS = 4_096;
/** Large images that are decoded at the same time, each in hundreds of megabytes. */
const MAX_AT_ONCE = 2;

/** At their ends: whoever decodes next waits for them. */
const decoding = new Set<Promise<unknown>>();

type Bytes = { readonly bytes: Uint8Array; readonly mediaType: string };

/**
 * Whether a provider can use a caller's file, beyond its first bytes and its header. Images are decoded, on another
 * thread; of sound and video the container is followed to the first sample, which takes no time worth mentioning. PCM
 * and AAC may be any bytes, and of AVIF and of moving WebP, which the runtime cannot decode, only the header is read.
 */
export async function isUsableMedia({ bytes, mediaType }: Bytes): Promise<boolean> {
  switch (mediaType as MediaType) {
    case "image/avif":
      return true;
    case "audio/mpeg":
      return isMp3(bytes);
    case "audio/wav":
      return wavLengthMs(bytes) !== null;
    case "audio/ogg":
      return oggLengthMs(bytes) !== null;
    case "audio/flac":
      return hasFlacFrame(bytes);
    case "audio/mp4":
      return hasIsoSample(bytes, "soun");
    case "video/mp4":
      return hasIsoSample(bytes, "vide");
    case "video/webm":
      return hasWebmBlocks(bytes);
    default:
      return mediaKindOf(mediaType as MediaType) === "image" && isPicture(bytes);
  }
}

async function isPicture(bytes: Uint8Array): Promise<boolean> {
  if (isMovingWebp(bytes)) return true;
  while (decoding.size >= MAX_AT_ONCE) await Promise.race(decoding);
  const decoded = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    .resize(1, 1)
    .png()
    .bytes()
    .then(
      () => true,
      () => false,
    );
  decoding.add(decoded);
  try {
    return await decoded;
  } finally {
    decoding.delete(decoded);
  }
}

/** By a flag of the extended header. */
function isMovingWebp(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(8, 16)).toString("latin1") === "WEBPVP8X" && ((bytes[20] ?? 0) & 2) !== 0;
}

/** The sync code of a frame behind the last block of metadata. */
function hasFlacFrame(bytes: Uint8Array): boolean {
  let at = 4;
  let isLast = false;
  for (let count = 0; !isLast && count < MAX_PARTS && at + 4 <= bytes.length; count++) {
    isLast = ((bytes[at] ?? 0) & 0x80) !== 0;
    at += 4 + (new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0) % 2 ** 24);
  }
  return bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xfe) === 0xf8;
}

/** Whether a track of this kind has its first sample in the file; in fragments, whether there is any content. */
function hasIsoSample(bytes: Uint8Array, kind: "vide" | "soun"): boolean {
  const budget = { boxes: MAX_PARTS };
  const boxes = isoTopBoxes(bytes, budget) ?? [];
  const hasContent = boxes.some(({ type, bytes: content }) => type === "mdat" && content.length > 0);
  const tracks = isoBoxesAt(bytes, ["moov", "trak"], budget).filter((track) =>
    isoBoxesAt(track.bytes, ["mdia", "hdlr"], budget).some((handler) => isoHandler(handler) === kind),
  );
  if (!hasContent || tracks.length === 0) return false;
  if (boxes.some(({ type }) => type === "moof")) return true;
  return tracks.some((track) => isSampleOf(bytes, track.bytes));
}

function isSampleOf(file: Uint8Array, track: Uint8Array): boolean {
  const table = (type: string) => {
    const [box] = isoBoxesAt(track, ["mdia", "minf", "stbl", type]);
    return box === undefined || box.bytes.length < 12 ? null : viewOf(box.bytes);
  };
  const [kinds, sizes, places, farPlaces] = [table("stsd"), table("stsz"), table("stco"), table("co64")];
  if (kinds === null || sizes === null || (places === null && farPlaces === null)) return false;
  const from = places === null ? numberAt(farPlaces, 12) : numberAt(places, 8);
  const size = numberAt(sizes, 4) || numberAt(sizes, 12);
  if (from === 0 || size === 0 || from + size > file.length) return false;
  return areUnits(file.subarray(from, from + size), lengthBytesOf(kinds));
}

/** How many bytes say the length of each unit of H.264 or H.265; 0 for other codecs, whose samples may begin with any. */
function lengthBytesOf(kinds: DataView): number {
  const bytes = new Uint8Array(kinds.buffer, kinds.byteOffset, kinds.byteLength);
  const [entry] = isoBoxesIn(bytes.subarray(8), { boxes: 1 });
  const inside = entry === undefined ? [] : isoBoxesIn(entry.bytes.subarray(78), { boxes: 64 });
  const found = inside.find(({ type }) => type === "avcC" || type === "hvcC");
  return found === undefined ? 0 : ((found.bytes[found.type === "avcC" ? 4 : 21] ?? 0) & 3) + 1;
}

/** Whether a sample is made of units that fill it, each below its length. */
function areUnits(sample: Uint8Array, lengthBytes: number): boolean {
  if (lengthBytes === 0) return true;
  let at = 0;
  while (at + lengthBytes < sample.length) {
    let size = 0;
    for (let byte = 0; byte < lengthBytes; byte++) size = size * 256 + (sample[at + byte] ?? 0);
    at += lengthBytes;
    if (((sample[at] ?? 0) & 0x80) !== 0) return false;
    at += size;
  }
  return at === sample.length;
}

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const GROUP = 0xa0;
const BLOCKS: ReadonlySet<number> = new Set([0xa3, 0xa1]);
const BLOCK_HEADER_BYTES = 4;
/** Enough to be no accident; a shorter file must end where its last element does. */
const LEAST_BLOCKS = 4;

/** Whether clusters have blocks with content: elements are followed from one to the next, into those that hold them. */
function hasWebmBlocks(bytes: Uint8Array): boolean {
  let at = 0;
  let blocks = 0;
  for (let count = 0; count < MAX_PARTS && at < bytes.length; count++) {
    const id = readNumber(bytes, at, true);
    const size = id && readNumber(bytes, id.end, false);
    if (!id || !size) return false;
    if (BLOCKS.has(id.value)) {
      if (size.value <= BLOCK_HEADER_BYTES) return false;
      if (++blocks === LEAST_BLOCKS) return true;
    }
    const isEntered = id.value === SEGMENT || id.value === CLUSTER || id.value === GROUP;
    at = isEntered ? size.end : size.end + size.value;
  }
  return blocks > 0 && at === bytes.length;
}

/** An EBML number, whose first bits say its length; an id keeps them. A length of ones only means that none is known. */
function readNumber(bytes: Uint8Array, at: number, isId: boolean): { value: number; end: number } | null {
  const first = bytes[at] ?? 0;
  const more = Math.clz32(first) - 24;
  if (more > 7 || (isId && more > 3) || at + more >= bytes.length) return null;
  let value = isId ? first : first & (0x7f >> more);
  for (let byte = 1; byte <= more; byte++) value = value * 256 + (bytes[at + byte] ?? 0);
  return { value, end: at + more + 1 };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function numberAt(view: DataView | null, at: number): number {
  return view === null || at + 4 > view.byteLength ? 0 : view.getUint32(at);
}
