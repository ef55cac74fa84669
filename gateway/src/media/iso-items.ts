import { type IsoBox, isoBoxesAt, isoBoxesIn } from "./iso-boxes.ts";

/** An item of an image file: a coded image, how several are combined, or metadata that programs add. */
export type IsoItem = { readonly type: string; readonly bytes: Uint8Array };

/** An image of many tiles has some hundreds. */
const MAX_ITEMS = 4_096;
/** Parts of one item; encoders write one. */
const MAX_EXTENTS = 64;

/**
 * Every item with its bytes, as far as the file has them; null if there are more than are read, or their parts are
 * combined in a way that no encoder writes.
 */
export function isoItems(file: Uint8Array): readonly IsoItem[] | null {
  const types = readTypes(isoBoxesAt(file, ["meta", "iinf"]));
  const pool = isoBoxesAt(file, ["meta", "idat"])[0]?.bytes ?? new Uint8Array(0);
  const items: IsoItem[] = [];
  // Parts may be referenced repeatedly: limit all copied bytes together to twice the file.
  let leftBytes = 2 * file.length;
  for (const box of isoBoxesAt(file, ["meta", "iloc"])) {
    const places = readPlaces(box);
    if (types === null || places === null || items.length + places.length > MAX_ITEMS) return null;
    for (const { id, method, extents } of places) {
      const source = method === 0 ? file : method === 1 ? pool : null;
      if (source === null) return null;
      const pieces = extents.map(({ offset, length }) =>
        source.subarray(offset, length === 0 ? source.length : offset + length),
      );
      const [only] = pieces;
      const isWhole = pieces.length === 1 && only !== undefined;
      if (!isWhole) leftBytes -= pieces.reduce((sum, piece) => sum + piece.length, 0);
      if (leftBytes < 0) return null;
      items.push({ type: types.get(id) ?? "", bytes: isWhole ? only : Buffer.concat(pieces) });
    }
  }
  return items;
}

/** Maps item ids to types; null if there are too many, or an id occurs twice. Items without a type cannot be drawn. */
function readTypes(boxes: readonly IsoBox[]): ReadonlyMap<number, string> | null {
  const types = new Map<number, string>();
  const budget = { boxes: MAX_ITEMS };
  for (const { bytes } of boxes) {
    for (const entry of isoBoxesIn(bytes.subarray(bytes[0] === 0 ? 6 : 8), budget)) {
      const fields = new Fields(entry.bytes);
      const version = fields.take(1);
      fields.take(3);
      if (entry.type !== "infe" || version < 2) continue;
      const id = fields.take(version === 2 ? 2 : 4);
      fields.take(2);
      if (types.has(id)) return null;
      types.set(id, String.fromCharCode(fields.take(1), fields.take(1), fields.take(1), fields.take(1)));
    }
  }
  return budget.boxes < 0 ? null : types;
}

type Extent = { readonly offset: number; readonly length: number };
type Place = { readonly id: number; readonly method: number; readonly extents: readonly Extent[] };

/** Null if the box is not a valid location table, or has more entries than are read. */
function readPlaces({ bytes }: IsoBox): readonly Place[] | null {
  const fields = new Fields(bytes);
  const version = fields.take(1);
  fields.take(3);
  const sizes = fields.take(2);
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [12, 8, 4, 0].map(
    (shift) => (sizes >> shift) & 15,
  );
  const count = fields.take(version < 2 ? 2 : 4);
  if (count > MAX_ITEMS) return null;
  const places: Place[] = [];
  for (let item = 0; item < count && !fields.isCut; item++) {
    const id = fields.take(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : fields.take(2) & 15;
    fields.take(2);
    const base = fields.take(baseBytes ?? 0);
    const extents: Extent[] = [];
    const pieces = fields.take(2);
    if (pieces > MAX_EXTENTS) return null;
    for (let piece = 0; piece < pieces; piece++) {
      if (version > 0) fields.take(indexBytes ?? 0);
      const offset = base + fields.take(offsetBytes ?? 0);
      extents.push({ offset, length: fields.take(lengthBytes ?? 0) });
    }
    places.push({ id, method, extents });
  }
  return fields.isCut ? null : places;
}

class Fields {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** True if more was read than there is. */
  get isCut(): boolean {
    return this.#at > this.#bytes.length;
  }

  take(count: number): number {
    let value = 0;
    for (let byte = 0; byte < count; byte++) value = value * 256 + (this.#bytes[this.#at++] ?? 0);
    return value;
  }
}
