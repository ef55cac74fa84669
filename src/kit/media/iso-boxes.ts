/** The boxes of MP4, M4A and AVIF files, walked by their headers alone; sizes that lie end the walk. */

/** Of one search that brings no budget of its own, at all levels together. A real file has a few dozen; more is somebody's trick. */
const MAX_BOXES = 4_096;
const MAX_DEPTH = 6;

export type IsoBox = { readonly type: string; readonly bytes: Uint8Array };
/** How many boxes may still be looked at. */
export type IsoBudget = { boxes: number };

/** What the file says it is; null: it is none of this family. */
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

/** Has tracks, and every one of them is sound. */
export function holdsOnlySound(bytes: Uint8Array): boolean {
  const handlers = isoBoxesAt(bytes, ["moov", "trak", "mdia", "hdlr"]).map(isoHandler);
  return handlers.length > 0 && handlers.every((handler) => handler === "soun");
}

/** What a track is, by its `hdlr`: `vide`, `soun` and others. */
export function isoHandler({ bytes }: IsoBox): string {
  return fourCharacters(bytes, 8);
}

/** What a video or a picture cannot do without. */
const VITAL_BOXES: ReadonlySet<string> = new Set(["moov", "moof", "mdat", "meta"]);

/**
 * The boxes of the file itself; null where one that matters is cut off, or where there are more than the budget has.
 * Anything else that does not fit is what some writers leave behind the end.
 */
export function isoTopBoxes(bytes: Uint8Array, budget: IsoBudget): readonly IsoBox[] | null {
  const boxes = isoBoxesIn(bytes, budget);
  const last = boxes.at(-1)?.bytes;
  const end = last === undefined ? 0 : last.byteOffset + last.byteLength - bytes.byteOffset;
  return budget.boxes < 0 || VITAL_BOXES.has(fourCharacters(bytes, end + 4)) ? null : boxes;
}

/**
 * Every box at the end of this path, in the order of the file; none where the file has more boxes than are looked at,
 * since what stands behind those might say something else. `meta` has four bytes before its boxes.
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

/** As many as the budget has, which is below zero afterwards where there were more. */
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
