import { createTextWriter } from "../text/text-writer.ts";
import { endOfSequence, isColour, PARAMETERS } from "./control-sequences.ts";
import { areApart, createColourReader, isLetter } from "./terminal-colours.ts";

const BELL = 7;

/** A move to the right is made of so many blanks at the most: no screen is wider. */
const MOST_BLANKS = 200;
/** A label is searched for its address only if it is no longer than that. */
const LONGEST_LABEL = 2_000;

/** Moves to another line, or to a place that was saved. */
const BREAKS: ReadonlySet<string> = new Set([..."HfEBedu"]);
/** Moves back and up, and signs that are shown again: nothing else says what they say. */
const KEPT: ReadonlySet<string> = new Set([..."ADFZb"]);

/** Of the shortest sequences, those that move. */
const MOVES: ReadonlySet<string> = new Set([..."78DEM"]);

/** What a link leads to, and where its label begins. */
type Link = { readonly address: string; readonly from: number };

/**
 * Drops the control sequences of terminals (colours, erasures, titles): a model sees no colours, and each costs several
 * tokens. What keeps words apart on a screen keeps them apart here: moves of the cursor become blanks, returns and breaks
 * of lines, and a blank stands between words that only their colours told apart. The address of a link stands behind its
 * label. Of a screen that is drawn over, all moves and erasures stay, and colours between such words. Inverse: none needed, they are a declared
 * normalisation. Bound: one pass; a sequence ends where the next one begins, so that unfinished ones are not read twice.
 */
export function stripControlSequences(text: string, isScreen = false): string {
  let at = text.indexOf("\x1b");
  if (at < 0) return text;
  const writer = createTextWriter(text);
  const colourAfter = createColourReader();
  let colour = "";
  /** Of sequences with nothing between them, and the colour of what stands before them. */
  let run = { text, from: at, to: at, colour, letters: 0 };
  let link: Link | null = null;
  for (; at >= 0; at = text.indexOf("\x1b", at)) {
    const end = endOfSequence(text, at);
    if (end === at) {
      at++;
      continue;
    }
    if (run.to !== at) {
      const letters = at - run.to === 1 && isLetter(text, run.to) ? run.letters + 1 : 0;
      run = { text, from: at, to: at, colour, letters };
    }
    run.to = end;
    const isDrawn = isScreen && draws(text, at, end);
    // What stands around it is apart.
    if (isDrawn) run.colour = "";
    let by = isDrawn ? null : shownFor(text, at, end);
    if (isColour(text, at, end)) colour = colourAfter(text.slice(at + 2, end - 1), colour);
    const address = addressOf(text, at, end);
    if (address !== null) {
      if (link !== null) by = behindLabel(link, text.slice(link.from, at));
      link = address === "" ? null : { address, from: end };
    }
    // A blank would take a column of a screen.
    if (by === "" && areApart(run, run.colour, colour)) by = isScreen ? null : " ";
    if (by !== null) writer.replace(at, end, by);
    at = end;
  }
  if (link !== null) writer.replace(text.length, text.length, behindLabel(link, text.slice(link.from)));
  return writer.finish();
}

/** Whether a sequence moves or erases, or says how others do; the rest are colours, settings and strings. */
function draws(text: string, start: number, end: number): boolean {
  if (text.charAt(start + 1) !== "[") return MOVES.has(text.slice(start + 1, end));
  return !isColour(text, start, end) && PARAMETERS.test(text.slice(start + 2, end - 1));
}

/** What stands in the place of a sequence; null where it stays. */
function shownFor(text: string, start: number, end: number): string | null {
  const kind = text.charAt(start + 1);
  // The next line, and the place that was saved.
  if (kind === "D" || kind === "E" || kind === "8") return "\n";
  if (kind !== "[") return "";
  const final = text.charAt(end - 1);
  if (final === "m") return "";
  const parameters = text.slice(start + 2, end - 1);
  if (!PARAMETERS.test(parameters)) return "";
  if (KEPT.has(final)) return null;
  if (BREAKS.has(final)) return "\n";
  const count = Number.parseInt(parameters, 10) || 1;
  if (final === "C" || final === "a") return " ".repeat(Math.min(count, MOST_BLANKS));
  if (final === "G" || final === "`") return count === 1 ? "\r" : " ";
  return final === "I" ? "\t" : "";
}

/** Where a link leads to: empty where one ends, null where the sequence is none. */
function addressOf(text: string, start: number, end: number): string | null {
  if (!text.startsWith("]8;", start + 1)) return null;
  const behind = text.indexOf(";", start + 4);
  if (behind < 0 || behind >= end) return null;
  return text.slice(behind + 1, text.charCodeAt(end - 1) === BELL ? end - 1 : end - 2);
}

/** Many labels are the address itself. */
function behindLabel({ address }: Link, label: string): string {
  if (label === "" || (label.length <= LONGEST_LABEL && label.includes(address))) return "";
  return ` (${address})`;
}
