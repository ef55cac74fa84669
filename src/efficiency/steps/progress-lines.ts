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

/**
 * Drops what a program has overwritten on its line: of a progress bar only the last state is left, as on a screen.
 * Only states that look like the next one, and only where the last of them hides the others, because it is at least
 * as long as they are: a file may have nothing but returns between its records. Breaks of lines (CR LF) stay, and so
 * does a text that has no others than returns. Inverse: none needed, this is a declared normalisation of terminal
 * output. Bound: every state is read twice.
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
    const from = states[first]?.from ?? 0;
    const last = states[end - 1];
    if (last !== undefined && last.from > from && sizeOf(last) === longest)
      found.push({ from, to: last.from });
  }
  return found;
}

/** What does not move in it; null where it shows no progress. */
type State = Stretch & { readonly still: string | null };

function statesOf(text: string, line: number, lineEnd: number): State[] {
  let end = lineEnd;
  while (end > line && text.charCodeAt(end - 1) === RETURN) end--;
  const states: State[] = [];
  for (let from = line; from <= end; ) {
    const next = text.indexOf("\r", from);
    const to = next < 0 || next > end ? end : next;
    const shown = text.slice(from, to);
    states.push({ from, to, still: PROGRESS.test(shown) ? shown.replaceAll(MOVING, "") : null });
    from = to + 1;
  }
  return states;
}

function sizeOf(state: State | undefined): number {
  return state === undefined ? 0 : state.to - state.from;
}

/** The next state may say more, and other things at its end. */
function isSameBar(state: State | undefined, next: State | undefined): boolean {
  if (typeof state?.still !== "string" || typeof next?.still !== "string") return false;
  return next.still.startsWith(state.still.slice(0, LEAST_SHARED));
}
