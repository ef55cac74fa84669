import { argumentTexts } from "../calls/argument-texts.ts";
import type { Label } from "../calls/origin.ts";
import type { ToolCall } from "../message.ts";
import {
  addPiece,
  createPieces,
  isLineStart,
  MOST_KEPT_PIECES,
  NO_NUMBER,
  type Page,
  type Pieces,
  type Voice,
} from "../text/pieces.ts";
import type { Replacement } from "../text/replacement.ts";
import { findReferences } from "./block-references.ts";
import type { Source } from "./place-name.ts";
import { readPage } from "./read-page.ts";
import { readTable } from "./read-table.ts";
import { shownPlaces } from "./shown-places.ts";
import { createSourceIndex, GONE, type SourceIndex } from "./source-index.ts";

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
  open(text: string, voice: Voice): Page | null;
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
};

/** Shorter results never become a reference as a whole: what it says must be found, for a few tokens. */
export const LEAST_WHOLE = 400;
/** Shorter texts contain no block that is worth a reference. */
const LEAST_SOURCE = 200;
/** Characters that may wait to be cut: all that wait are cut at once. */
const MOST_OFFERED = 100_000;
/** Per call: a usual one writes a file or two. */
const MOST_ARGUMENTS = 16;

type SourceParts = Pick<Source, "label" | "shown" | "places">;

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

  function open(text: string, voice: Voice): Page | null {
    return take(readPage(pieces, text, voice));
  }

  function take(page: Page | null): Page | null {
    if (page !== null) index.read(page);
    return page;
  }

  function add(page: Page | null, { label, shown, places }: SourceParts): void {
    if (page === null) return;
    sources.push({ page, label, shown, hasClearNumbers: hasClearNumbers(page), places });
    index.add(page);
    // A gap, so that no block extends past the end of its text.
    addPiece(pieces, 0, GONE);
  }

  return {
    offer(label, text) {
      if (text.length < LEAST_SOURCE) return;
      putOff(text.length, () => add(open(text, "tool"), { label, shown: text, places: null }));
    },

    offerArguments(label, call) {
      if (call.arguments.length < LEAST_SOURCE) return;
      putOff(call.arguments.length, () => {
        const texts = argumentTexts(call.arguments);
        const long = texts.filter((text) => text.length >= LEAST_SOURCE).slice(0, MOST_ARGUMENTS);
        if (long.length === 0) return;
        // The model also sees the short strings, in which a quote meant for a long one might occur.
        const parts = { label, shown: texts.join("\n"), places: null };
        for (const text of long) add(open(text, "model"), parts);
      });
    },

    wholeOf(text) {
      return text.length < LEAST_WHOLE ? null : (wholes.get(text) ?? null);
    },

    open(text, voice) {
      catchUp();
      return open(text, voice);
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

    close(page, { label, text, replacements, whole }) {
      const places = shownPlaces(page, replacements);
      for (const { first, count, kind } of replacements) {
        if (kind === "reference" || places === null) hide(page, first, first + count);
        else pieces.folded.fill(1, first, first + count);
      }
      add(page, { label, shown: text, places });
      if (whole !== null && !wholes.has(whole)) wholes.set(whole, label);
    },

    end() {
      if (pieces.start.length <= MOST_KEPT_PIECES) spare = workspace;
    },
  };
}

function hide({ pieces }: Page, first: number, end: number): void {
  pieces.body.fill(0, first, end);
  pieces.end.fill(GONE, first, end);
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
