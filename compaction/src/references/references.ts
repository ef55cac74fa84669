import type { Label } from "../calls/origin.ts";
import { markFences } from "../fences/language-fences.ts";
import type { ToolCall } from "../message.ts";
import { cutLines } from "../text/cut.ts";
import { findGutters } from "../text/gutter.ts";
import {
  addPiece,
  createPieces,
  FOLDED,
  isLineStart,
  MOST_KEPT_PIECES,
  NO_NUMBER,
  PADDED,
  type Page,
  type Pieces,
  type Replacement,
} from "../text/pieces.ts";
import { findReferences } from "./find-references.ts";
import { placesOf, type Source } from "./place-name.ts";
import { readTable } from "./read-table.ts";
import { createSourceIndex, GONE, hashPieces, type SourceIndex } from "./source-index.ts";

/** The earlier texts of a conversation that later ones may refer to. */
export type References = {
  /** Adds a text that the model sees unchanged. */
  offer(label: Label, text: string): void;
  /** Adds the long strings in the arguments of a call. */
  offerArguments(label: Label, call: ToolCall): void;
  /** The label of an earlier result that is exactly this text and refers to nothing itself. */
  wholeOf(text: string): Label | null;
  /**
   * Cuts a text that may refer to earlier ones; `close` or `drop` must follow before the next one. Null: leave the
   * text alone.
   */
  open(text: string, hasGutters: boolean): Page | null;
  /** `seesFolded`: folded lines may be named only by texts of a kind that would be folded as well. */
  find(page: Page, seesFolded: boolean): Replacement[];
  /** Like `open`, for a text with tables. */
  openTable(text: string): Page | null;
  /** Discards the page that was opened last, because it is not shown. */
  drop(page: Page): void;
  /** Records how the model sees the text: only what was not replaced may be referred to. */
  close(page: Page, shown: Shown): void;
  /** Call at the end of the conversation: lets the next one reuse the arrays. */
  end(): void;
};

type Shown = {
  readonly label: Label;
  readonly text: string;
  /** The parts that the model does not see in their original form. */
  readonly replacements: readonly Replacement[];
  /**
   * The text that the label alone can stand for: the label names a call, and the shown text contains no reference.
   * Else null.
   */
  readonly whole: string | null;
  /** True if the text is the page with these replacements, and nothing else of it has changed. */
  readonly isAsWritten: boolean;
};

/** Shorter results never become a reference as a whole: what it says must be found, for a few tokens. */
export const LEAST_WHOLE = 400;
/** Shorter texts contain no block that is worth a reference. */
const LEAST_SOURCE = 200;
/** Per call: a usual one writes a file or two. */
const MOST_ARGUMENTS = 16;
/** Deeper in arguments nothing is read. */
const MOST_DEPTH = 8;
/** Characters that may wait to be cut: all that wait are cut at once. */
const MOST_OFFERED = 100_000;
type Workspace = { readonly pieces: Pieces; readonly index: SourceIndex };

/** Reused from a finished conversation: large arrays cost more to create than to use. Contains numbers, no text. */
let spare: Workspace | null = null;

function takeWorkspace(): Workspace {
  const taken = spare;
  spare = null;
  if (taken === null) {
    const pieces = createPieces();
    return { pieces, index: createSourceIndex(pieces) };
  }
  taken.pieces.count = 0;
  taken.index.clear();
  return taken;
}

export function createReferences(): References {
  const workspace = takeWorkspace();
  const { pieces, index } = workspace;
  const sources: Source[] = [];
  const wholes = new Map<string, Label>();
  /** Texts are cut only when a later text may refer to them, which for the last messages is never. */
  let offers: (() => void)[] = [];
  let offered = 0;

  function catchUp(): void {
    if (offers.length === 0) return;
    for (const take of offers) take();
    offers = [];
    offered = 0;
  }

  function putOff(characters: number, take: () => void): void {
    if (offered > MOST_OFFERED) catchUp();
    offered += characters;
    offers.push(take);
  }

  function open(text: string, hasGutters: boolean): Page | null {
    return take(readPage(pieces, text, hasGutters));
  }

  function take(page: Page | null): Page | null {
    if (page !== null) index.read(page);
    return page;
  }

  function add(page: Page | null, parts: Pick<Source, "label" | "shown" | "places">): void {
    if (page === null) return;
    sources.push({ page, hasClearNumbers: hasClearNumbers(page), ...parts });
    index.add(page);
    // A gap, so that no block extends past the end of its text.
    addPiece(pieces, 0, GONE);
  }

  return {
    offer(label, text) {
      if (text.length < LEAST_SOURCE) return;
      putOff(text.length, () => add(open(text, true), { label, shown: text, places: null }));
    },

    offerArguments(label, call) {
      if (call.arguments.length < LEAST_SOURCE) return;
      putOff(call.arguments.length, () => {
        const texts = textsIn(call.arguments);
        const long = texts.filter((text) => text.length >= LEAST_SOURCE).slice(0, MOST_ARGUMENTS);
        // The model also sees the short strings, in which a quote meant for a long one might occur.
        const shown = texts.join("\n");
        for (const text of long) add(open(text, false), { label, shown, places: null });
      });
    },

    wholeOf(text) {
      return text.length < LEAST_WHOLE ? null : (wholes.get(text) ?? null);
    },

    open(text, hasGutters) {
      catchUp();
      return open(text, hasGutters);
    },

    openTable(text) {
      catchUp();
      return take(readTable(pieces, text));
    },

    drop({ first }) {
      pieces.count = first;
    },

    find: (page, seesFolded) =>
      findReferences(page, { index, sourceOf: (piece) => sourceOf(sources, piece), seesFolded }),

    close(page, { label, text, replacements, whole, isAsWritten }) {
      for (const { first, count, isFold } of replacements) {
        if (isFold && isAsWritten) {
          pieces.number.fill(FOLDED, first, first + count);
          continue;
        }
        pieces.body.fill(0, first, first + count);
        pieces.end.fill(GONE, first, first + count);
      }
      const places = isAsWritten && !hasGutter(page) ? placesOf(page, replacements) : null;
      add(page, { label, shown: text, places });
      if (whole !== null && !wholes.has(whole)) wholes.set(whole, label);
    },

    end() {
      if (pieces.start.length <= MOST_KEPT_PIECES) spare = workspace;
    },
  };
}

/** All strings in a call's arguments, in order; none if the arguments are not valid JSON. */
function textsIn(json: string): string[] {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null && depth < MOST_DEPTH)
      for (const member of Object.values(value)) collect(member, depth + 1);
  };
  try {
    collect(JSON.parse(json), 0);
  } catch {
    // Models sometimes write truncated arguments; such a call is no source.
  }
  return texts;
}

/** Appends a text to the pieces, with fences, gutters and hashes set. Null if it has too many pieces. */
export function readPage(pieces: Pieces, text: string, hasGutters: boolean): Page | null {
  const page = cutLines(pieces, text, true);
  if (page === null) return null;
  markFences(page);
  if (hasGutters) findGutters(page);
  hashPieces(page);
  return page;
}

function hasGutter({ pieces, first, end }: Page): boolean {
  for (let at = first; at < end; at++) {
    const number = pieces.number[at] as number;
    if (number >= 0 || number === PADDED) return true;
  }
  return false;
}

/** The source whose page contains a piece. */
function sourceOf(sources: readonly Source[], piece: number): Source {
  let low = 0;
  let high = sources.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sources[middle] as Source).page.first <= piece) low = middle;
    else high = middle - 1;
  }
  return sources[low] as Source;
}

/** What a reader could take for the number of a line. */
const LIKE_NUMBERED = /^ *L?(\d{1,7}) *[:|│→\t]/;
const MOST_BEFORE_LINE = 24;

/**
 * Whether the gutter numbers of a text only increase, so that none occurs twice, and no other line begins with one of
 * them: a list may stand beside a file.
 */
function hasClearNumbers(page: Page): boolean {
  const { pieces, first, end } = page;
  let last = NO_NUMBER;
  for (let at = first; at < end; at++) {
    const number = pieces.number[at] as number;
    if (number < 0) continue;
    if (number <= last) return false;
    last = number;
  }
  return last === NO_NUMBER || !repeatsNumbers(page);
}

function repeatsNumbers(page: Page): boolean {
  const { text, pieces, first, end } = page;
  let numbers: Set<number> | null = null;
  for (let at = first; at < end; at++) {
    if ((pieces.number[at] as number) >= 0 || !isLineStart(page, at)) continue;
    const start = pieces.start[at] as number;
    const found = LIKE_NUMBERED.exec(text.slice(start, start + MOST_BEFORE_LINE));
    if (found === null) continue;
    numbers ??= new Set(pieces.number.subarray(first, end));
    if (numbers.has(Number(found[1]))) return true;
  }
  return false;
}
