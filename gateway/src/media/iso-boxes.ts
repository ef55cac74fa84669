/** The boxes of MP4, M4A and AVIF files, found by their headers alone; an impossible size ends the search. */

/** Budget of one search at all levels together, by default. A real file has a few dozen boxes; more is an attack. */
const MAX_BOXES = 4_096;
const MAX_DEPTH = 6;

export type IsoBox = { readonly type: string; readonly bytes: Uint8Array };
/** How many boxes may still be read. */
export type IsoBudget = { boxes: number };

/** The brands that the file declares; null if it is not an ISO media file. */
export function isoBrands(
  bytes: Uint8Array,
): { readonly major: string; readonly all: readonly string[] } | null {
  const [first] = isoBoxesIn(bytes, { boxes: 1 });
  if (first?.type !== "ftyp" || first.bytes.length < 8) return null;
  const all: string[] = [fourCharacters(first.bytes, 0)];
  for (let at = 8; at + 4 <= first.bytes.length && all.length < 64; at += 4) {
    all.push(fourCharacters(first.bytes, at));
  }
  return { major: all[0] ?? "", all };
}

/** True if there are tracks and all of them are audio. */
export function holdsOnlySound(bytes: Uint8Array): boolean {
  const handlers = isoBoxesAt(bytes, ["moov", "trak", "mdia", "hdlr"]).map(isoHandler);
  return handlers.length > 0 && handlers.every((handler) => handler === "soun");
}

/** The type of a track by its `hdlr`: `vide`, `soun` and others. */
export function isoHandler({ bytes }: IsoBox): string {
  return fourCharacters(bytes, 8);
}

/** Boxes that a video or an image cannot do without. */
const VITAL_BOXES: ReadonlySet<string> = new Set(["moov", "moof", "mdat", "meta"]);

/**
 * The top-level boxes; null if a vital one is cut off, or there are more than the budget allows. Any other remainder
 * that does not fit is trailing data, which some encoders leave.
 */
export function isoTopBoxes(bytes: Uint8Array, budget: IsoBudget): readonly IsoBox[] | null {
  const boxes = isoBoxesIn(bytes, budget);
  const last = boxes.at(-1)?.bytes;
  const end = last === undefined ? 0 : last.byteOffset + last.byteLength - bytes.byteOffset;
  return budget.boxes < 0 || VITAL_BOXES.has(fourCharacters(bytes, end + 4)) ? null : boxes;
}

/**
 * Every box at this path, in file order. Empty if there are more boxes than the budget allows, since a later one might
 * contradict those read. `meta` has four bytes before its boxes.
 */
export function isoBoxesAt(
  bytes: Uint8Array,
  path: readonly string[],
  budget: IsoBudget = { boxes: MAX_BOXES },
): readonly IsoBox[] {
  let found: readonly IsoBox[] = [{ type: "", bytes }];
  for (const type of path.slice(0, MAX_DEPTH)) {
    const inside: IsoBox[] = [];
    for (const box of found) {
      const held = box.type === "meta" ? box.bytes.subarray(4) : box.bytes;
      for (const next of isoBoxesIn(held, budget)) if (next.type === type) inside.push(next);
      if (budget.boxes < 0) return [];
    }
    found = inside;
  }
  return found;
}

/** At most as many boxes as the budget allows; afterwards the budget is below zero if there were more. */
export function isoBoxesIn(bytes: Uint8Array, budget: IsoBudget): readonly IsoBox[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: IsoBox[] = [];
  for (let at = 0; at + 8 <= bytes.length && --budget.boxes >= 0; ) {
    let headerBytes = 8;
    let sizeBytes = view.getUint32(at);
    if (sizeBytes === 0) sizeBytes = bytes.length - at;
    if (sizeBytes === 1) {
      if (at + 16 > bytes.length) break;
      headerBytes = 16;
      sizeBytes = Number(view.getBigUint64(at + 8));
    }
    if (sizeBytes < headerBytes || at + sizeBytes > bytes.length) break;
    boxes.push({
      type: fourCharacters(bytes, at + 4),
      bytes: bytes.subarray(at + headerBytes, at + sizeBytes),
    });
    at += sizeBytes;
  }
  return boxes;
}

function fourCharacters(bytes: Uint8Array, at: number): string {
  if (at + 4 > bytes.length) return "";
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
