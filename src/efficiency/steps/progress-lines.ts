import { createTextWriter } from "../text-writer.ts";

const RETURN = 13;

/** A share, a bar, a spinner, so many of so many, or the times that `curl` shows: records of a file have none. */
const PROGRESS = new RegExp(
  [
    "%",
    "[=#─-▟■-◿]{3}",
    "[⠀-⣿]",
    "^[^-|/\\\\]*\\s[-|/\\\\]\\s*$",
    "(?<![\\d/])\\d+ ?/ ?\\d+(?![\\d/])",
    "[\\d-]:[\\d-]{2}:[\\d-]{2} +[\\d-]",
  ].join("|"),
);
/** What moves from one state to the next: numbers with their units, bars, spinners and blanks. */
const MOVING = /\d[\d.:]* ?(?:[kKMGT]?i?[Bb](?![a-z]))?|[\s.:%/|\\\-=#<>()[\]─-▟■-◿⠀-⣿]/g;
/** So much of what does not move is the same bar, whatever it says behind that. */
const LEAST_SHARED = 3;
/** So many states in a row that say the same, but for what moves, are progress without any sign of it, too. */
const LEAST_ALIKE = 5;
/** Fields between separators, quotes, brackets, days, statements: records of a file may all say the same. */
const RECORD = /\d,|,\S|[;\t"{}<>]|\|[^|]*\||\d[-/.]\d+[-/.]\d/;
/** Numbers alone are data. */
const WORD = /\p{L}{2}/u;

/**
 * Drops what a program has overwritten on its line: of a progress bar only the last state is left, as on a screen.
 * Only states that look like the next one, and only where the last of them hides the others, because it is at least
 * as long as they are: a file may have nothing but returns between its records, which differ in their words. Breaks
 * of lines (CR LF) stay, and so does a text that has no others than returns. Inverse: none needed, this is a declared
 * normalisation of terminal output. Bound: every state is read a few times.
 */
export function stripProgress(text: string): string {
  let at = text.indexOf("\r");
  if (at < 0 || !text.trimEnd().includes("\n")) return text;
  const writer = createTextWriter(text);
  while (at >= 0) {
    const line = text.lastIndexOf("\n", at) + 1;
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    for (const { from, to } of overwritten(text, line, end)) writer.replace(from, to, "");
    at = text.indexOf("\r", end);
  }
  return writer.finish();
}

type Stretch = { readonly from: number; readonly to: number };

/** The states of a line that nobody sees any more: those of each bar but the last, if that hides the others. */
function overwritten(text: string, line: number, lineEnd: number): Stretch[] {
  const states = statesOf(text, line, lineEnd);
  const found: Stretch[] = [];
  for (let first = 0, end = 1; first < states.length; first = end++) {
    let longest = sizeOf(states[first]);
    for (; end < states.length && isSameBar(states[end - 1], states[end]); end++)
      longest = Math.max(longest, sizeOf(states[end]));
    const last = states[end - 1];
    if (last === undefined || sizeOf(last) < longest) continue;
    const from = states[first]?.from ?? 0;
    const isProgress = last.shows === "progress" || end - first >= LEAST_ALIKE;
    if (isProgress && last.from > from) found.push({ from, to: last.from });
  }
  return found;
}

type State = Stretch & {
  /** Words may be progress, where enough of them are alike. */
  readonly shows: "progress" | "words" | "record";
  /** What does not move in it. */
  readonly still: string;
};

/** None where nothing is overwritten. */
function statesOf(text: string, line: number, lineEnd: number): State[] {
  let end = lineEnd;
  while (end > line && text.charCodeAt(end - 1) === RETURN) end--;
  const states: State[] = [];
  if (text.indexOf("\r", line) >= end) return states;
  for (let from = line; from <= end; ) {
    const next = text.indexOf("\r", from);
    const to = next < 0 || next > end ? end : next;
    states.push({ from, to, ...readState(text.slice(from, to)) });
    from = to + 1;
  }
  return states;
}

function readState(shown: string): Pick<State, "shows" | "still"> {
  const still = shown.replaceAll(MOVING, "");
  if (PROGRESS.test(shown)) return { shows: "progress", still };
  return { shows: WORD.test(still) && !RECORD.test(shown) ? "words" : "record", still };
}

function sizeOf(state: State | undefined): number {
  return state === undefined ? 0 : state.to - state.from;
}

/** The next state of a bar may say more, and other things at its end. */
function isSameBar(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined || state.shows !== next.shows) return false;
  if (state.shows === "words") return state.still === next.still;
  return state.shows === "progress" && next.still.startsWith(state.still.slice(0, LEAST_SHARED));
}
