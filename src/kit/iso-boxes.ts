/** The boxes of MP4, M4A and AVIF files, walked by their headers alone; sizes that lie end the walk. */

/** Of one search, at all levels together. A real file has a few dozen; more is somebody's trick. */
const MAX_BOXES = 4_096;
const MAX_DEPTH = 6;

export type IsoBox = { readonly type: string; readonly bytes: Uint8Array };

/** What the file says it is; null: it is none of this family. */
export function isoBrands(
  bytes: Uint8Array,
): { readonly major: string; readonly all: readonly string[] } | null {
  const [first] = boxesOf(bytes, { boxes: 1 });
  if (first?.type !== "ftyp" || first.bytes.length < 8) return null;
  const all: string[] = [fourCharacters(first.bytes, 0)];
  for (let at = 8; at + 4 <= first.bytes.length && all.length < 64; at += 4) {
    all.push(fourCharacters(first.bytes, at));
  }
  return { major: all[0] ?? "", all };
}

/** Has tracks, and every one of them is sound. */
export function holdsOnlySound(bytes: Uint8Array): boolean {
  const handlers = isoBoxesAt(bytes, ["moov", "trak", "mdia", "hdlr"]).map((box) =>
    fourCharacters(box.bytes, 8),
  );
  return handlers.length > 0 && handlers.every((handler) => handler === "soun");
}

/**
 * Every box at the end of this path, in the order of the file; none where the file has more boxes than are looked at,
 * since what stands behind those might say something else. `meta` has four bytes before its boxes.
 */
export function isoBoxesAt(bytes: Uint8Array, path: readonly string[]): readonly IsoBox[] {
  const budget = { boxes: MAX_BOXES };
  let found: readonly IsoBox[] = [{ type: "", bytes }];
  for (const type of path.slice(0, MAX_DEPTH)) {
    const inside: IsoBox[] = [];
    for (const box of found) {
      const held = box.type === "meta" ? box.bytes.subarray(4) : box.bytes;
      for (const next of boxesOf(held, budget)) if (next.type === type) inside.push(next);
      if (budget.boxes < 0) return [];
    }
    found = inside;
  }
  return found;
}

/** As many as the budget has, which is below zero afterwards where there were more. */
function boxesOf(bytes: Uint8Array, budget: { boxes: number }): IsoBox[] {
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
