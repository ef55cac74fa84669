import { FENCED, FOLDED, NO_NUMBER, type Page, type Pieces } from "../text/pieces.ts";

/** `count` pieces of a page from `first` on that match consecutive pieces of a source from `source` on. */
export type Block = { readonly first: number; readonly source: number; readonly count: number };

export type SourceIndex = {
  /** Computes the keys of a page, so that it can be looked up and added. */
  read(page: Page): void;
  /**
   * The longest run of known pieces that starts here, by their hashes; null if it is not worth a reference. Folded
   * pieces count only if `seesFolded`.
   */
  find(page: Page, piece: number, seesFolded: boolean): Block | null;
  /** From now on this page may be referred to, except for pieces that are GONE. */
  add(page: Page): void;
  clear(): void;
};

/** In `end`: the model does not see this piece unchanged, so nothing may refer to it. */
export const GONE = -1;

/** Shorter blocks cost about as much as a reference. */
export const LEAST_BLOCK = 200;
/** Characters that a lookup key covers: short lines occur everywhere. */
const SHINGLE = 48;
/** How many places with the same key are compared. */
const MOST_CANDIDATES = 8;
/** Average comparisons per piece of a page: keeps the time linear even for text made to match everywhere. */
const COMPARISONS_PER_PIECE = 16;
/**
 * A power of two, since slots are found by a mask. The table may grow only with the pieces that were added: which
 * pieces share a slot counts against the comparisons, and must be the same for a prefix of a conversation as for the
 * whole.
 */
const FIRST_SLOTS = 8_192;

export function createSourceIndex(pieces: Pieces): SourceIndex {
  /** Heads of the chains, and for each piece the next one of its chain: index plus one, 0 for none. */
  let heads = new Int32Array(FIRST_SLOTS);
  let chain = new Int32Array(pieces.start.length);
  let keys = new Int32Array(pieces.start.length);
  let used = 0;
  let comparisons = 0;

  function link(piece: number): void {
    const slot = (keys[piece] as number) & (heads.length - 1);
    chain[piece] = heads[slot] as number;
    heads[slot] = piece + 1;
  }

  function relink(upTo: number): void {
    heads = new Int32Array(heads.length * 4);
    for (let piece = 0; piece < upTo; piece++) if (keys[piece] !== 0) link(piece);
  }

  return {
    read(page) {
      if (keys.length < pieces.start.length) {
        keys = widen(keys, pieces.start.length);
        chain = widen(chain, pieces.start.length);
      }
      readKeys(page, keys);
      comparisons = (page.end - page.first) * COMPARISONS_PER_PIECE;
    },

    find(page, piece, seesFolded) {
      const key = keys[piece] as number;
      if (key === 0 || comparisons < 0 || pieces.number[piece] === FENCED) return null;
      let source = -1;
      let most = 0;
      let candidates = 0;
      for (let at = heads[key & (heads.length - 1)] as number; at !== 0; at = chain[at - 1] as number) {
        if (--comparisons < 0) break;
        if (keys[at - 1] !== key) continue;
        const count = compareRun(page, { first: piece, source: at - 1, seesFolded });
        comparisons -= count;
        // Among equals take the oldest, which comes last.
        if (count >= most) {
          most = count;
          source = at - 1;
        }
        if (++candidates === MOST_CANDIDATES) break;
      }
      if (most === 0 || sizeOf(page, piece, most) < LEAST_BLOCK) return null;
      return { first: piece, source, count: most };
    },

    add(page) {
      for (let piece = page.first; piece < page.end; piece++) {
        if (keys[piece] === 0) continue;
        if (++used > heads.length) relink(piece);
        link(piece);
      }
      // The gap after a page has no key; clear what an earlier conversation left there.
      keys[page.end] = 0;
    },

    clear() {
      if (heads.length === FIRST_SLOTS) heads.fill(0);
      else heads = new Int32Array(FIRST_SLOTS);
      used = 0;
    },
  };
}

function widen(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(size);
  wider.set(column);
  return wider;
}

/** Hashes the content of each piece. */
export function hashPieces({ text, pieces, first, end }: Page): void {
  const { body, end: ends, hash } = pieces;
  for (let piece = first; piece < end; piece++) {
    hash[piece] = hashText(text, body[piece] as number, ends[piece] as number);
  }
}

/**
 * Hashes every character: log entries, the buttons of a page and rows of a file may differ in a single digit, and a
 * falsely matching run that is longer than the true one would hide it. Four characters at a time, since each
 * multiplication waits for the one before it.
 */
function hashText(text: string, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 3 < to; at += 4) {
    const left = text.charCodeAt(at) + (text.charCodeAt(at + 1) << 8);
    const right = text.charCodeAt(at + 2) + (text.charCodeAt(at + 3) << 8);
    hash = Math.imul(hash ^ (left + (right << 16)), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** The key of each piece: a hash of the following pieces up to SHINGLE characters; 0 if the page ends before that. */
function readKeys({ pieces, first, end }: Page, keys: Int32Array): void {
  const { body, end: ends, hash } = pieces;
  for (let piece = first; piece < end; piece++) {
    let key = 0;
    let size = 0;
    for (let at = piece; at < end && size < SHINGLE; at++) {
      key = Math.imul(key ^ (hash[at] as number), 0x9e3779b1);
      key ^= key >>> 15;
      size += (ends[at] as number) - (body[at] as number) + 1;
    }
    keys[piece] = size < SHINGLE ? 0 : key;
  }
}

type Run = { readonly first: number; readonly source: number; readonly seesFolded: boolean };

/** How many pieces of a page match those from `source` on; line numbers must increase by one on each side. */
function compareRun({ pieces, end }: Page, { first, source, seesFolded }: Run): number {
  const { hash, number, end: ends } = pieces;
  const here = number[first] as number;
  const there = number[source] === FOLDED ? NO_NUMBER : (number[source] as number);
  let count = 0;
  while (first + count < end) {
    const at = first + count;
    const from = source + count;
    if (hash[at] !== hash[from] || ends[from] === GONE) break;
    if (number[at] !== (here < 0 ? here : here + count)) break;
    const isFolded = number[from] === FOLDED;
    if (isFolded ? !seesFolded || there >= 0 : number[from] !== (there < 0 ? there : there + count)) break;
    count++;
  }
  return count;
}

/** The characters of the pieces, plus a line break after each. */
export function sizeOf({ pieces }: Page, first: number, count: number): number {
  let size = count;
  for (let at = first; at < first + count; at++) {
    size += (pieces.end[at] as number) - (pieces.body[at] as number);
  }
  return size;
}
