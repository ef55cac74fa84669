import { createTextWriter } from "../text/text-writer.ts";
import { endOfSequence, isColour, PARAMETERS } from "./control-sequences.ts";
import { areApart, createColourReader, isLetter } from "./terminal-colours.ts";

const BELL = 7;

/** The most blanks that replace a move to the right: no screen is wider. */
const MOST_BLANKS = 200;
/** Longer labels are not searched for their URL. */
const LONGEST_LABEL = 2_000;

/** Moves to another line, or to a saved position. */
const BREAKS: ReadonlySet<string> = new Set([..."HfEBedu"]);
/** Moves back or up, and repeated characters: these stay, since nothing else expresses them. */
const KEPT: ReadonlySet<string> = new Set([..."ADFZb"]);

/** The two-character sequences that move the cursor. */
const MOVES: ReadonlySet<string> = new Set([..."78DEM"]);

/** The URL of a link, and where its label begins. */
type Link = { readonly address: string; readonly from: number };

/**
 * Drops terminal control sequences (colours, erasures, titles): a model sees no colours, and each costs several
 * tokens. What separates words on a screen separates them here: cursor moves become blanks, carriage returns or line
 * breaks, and a blank is put between words that only their colours separate. The URL of a link follows its label. If
 * the screen is drawn over (`isScreen`), moves and erasures stay, and so do colours between such words. Inverse: none
 * needed, this is a declared normalisation. Bound: one pass; an unfinished sequence ends where the next one begins,
 * so none is read twice.
 */
export function stripControlSequences(text: string, isScreen = false): string {
  let at = text.indexOf("\x1b");
  if (at < 0) return text;
  const writer = createTextWriter(text);
  const colourAfter = createColourReader();
  let colour = "";
  /** Adjacent sequences, and the colour of the text before them. */
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
    // A move separates the text around it.
    if (isDrawn) run.colour = "";
    let by = isDrawn ? null : shownFor(text, at, end);
    if (isColour(text, at, end)) colour = colourAfter(text.slice(at + 2, end - 1), colour);
    const address = addressOf(text, at, end);
    if (address !== null) {
      if (link !== null) by = behindLabel(link, text.slice(link.from, at));
      link = address === "" ? null : { address, from: end };
    }
    // On a screen a blank would take up a column, so the colour stays instead.
    if (by === "" && areApart(run, run.colour, colour)) by = isScreen ? null : " ";
    if (by !== null) writer.replace(at, end, by);
    at = end;
  }
  if (link !== null) writer.replace(text.length, text.length, behindLabel(link, text.slice(link.from)));
  return writer.finish();
}

/** Whether a sequence moves, erases or otherwise affects the layout; the rest are colours, settings and strings. */
function draws(text: string, start: number, end: number): boolean {
  if (text.charAt(start + 1) !== "[") return MOVES.has(text.slice(start + 1, end));
  return !isColour(text, start, end) && PARAMETERS.test(text.slice(start + 2, end - 1));
}

/** The replacement of a sequence; null if it stays. */
function shownFor(text: string, start: number, end: number): string | null {
  const kind = text.charAt(start + 1);
  // Next line, or restore the saved position.
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

/** The URL of a link; empty for the end of a link, null if the sequence is none. */
function addressOf(text: string, start: number, end: number): string | null {
  if (!text.startsWith("]8;", start + 1)) return null;
  const behind = text.indexOf(";", start + 4);
  if (behind < 0 || behind >= end) return null;
  return text.slice(behind + 1, text.charCodeAt(end - 1) === BELL ? end - 1 : end - 2);
}

/** Empty if the label already contains the URL, as many do. */
function behindLabel({ address }: Link, label: string): string {
  if (label === "" || (label.length <= LONGEST_LABEL && label.includes(address))) return "";
  return ` (${address})`;
}
