import { type Av1Budget, av1Size } from "./av1-size.ts";
import { coveringSize, type ImageSize } from "./covering-size.ts";
import { type IsoBox, isoBoxesAt } from "./iso-boxes.ts";
import { type IsoItem, isoItems } from "./iso-items.ts";

/** An image has a handful of units, one with many tiles some thousands. */
const MAX_UNITS = 100_000;
/** A few hundred bits for each of some thousands of tiles; the longest possible header has three thousand. */
const MAX_HEADER_BITS = 4_000_000;

/**
 * The largest size declared anywhere: a small preview must not hide a bomb, nor must a small declared size beside
 * larger coded video, which the decoder reads first. Null for image sequences, whose frames are listed in other tables,
 * and if the file exceeds the limits.
 */
export function avifSize(bytes: Uint8Array): ImageSize | null {
  const isSequence = isoBoxesAt(bytes, ["moov"]).length > 0;
  const items = isSequence ? null : isoItems(bytes);
  if (items === null) return null;
  let size: ImageSize | null = null;
  for (const box of isoBoxesAt(bytes, ["meta", "iprp", "ipco", "ispe"])) {
    size = coveringSize(size, declaredSize(box));
  }
  // Without a declared size no decoder goes on.
  if (size === null) return null;
  const budget: Av1Budget = { units: MAX_UNITS, bits: MAX_HEADER_BITS };
  for (const item of items) size = coveringSize(size, itemSize(item, budget));
  return budget.units < 0 || budget.bits < 0 ? null : size;
}

function declaredSize({ bytes }: IsoBox): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.length < 12 ? null : { width: view.getUint32(4), height: view.getUint32(8) };
}

function itemSize({ type, bytes }: IsoItem, budget: Av1Budget): ImageSize | null {
  if (type === "av01") return av1Size(bytes, budget);
  return type === "grid" ? gridSize(bytes) : null;
}

/** Size of the image that the tiles of a grid form. */
function gridSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = bytes.length > 1 && (view.getUint8(1) & 1) === 1;
  if (bytes.length < (isLong ? 12 : 8)) return null;
  return isLong
    ? { width: view.getUint32(4), height: view.getUint32(8) }
    : { width: view.getUint16(4), height: view.getUint16(6) };
}
