import { createTextWriter } from "../text/text-writer.ts";
import { hasAddress } from "./drawn-over.ts";
import { findOddStates } from "./odd-states.ts";
import { readState, type State } from "./progress-states.ts";

const RETURN = 13;
const LINE_FEED = 10;

/** So much of what does not move is the same bar, whatever it says behind that. */
const LEAST_SHARED = 3;
/** So many states in a row that say the same, but for what moves, are progress without a bar, too. */
const LEAST_ALIKE = 5;
/** No program that somebody waits for shows more; a text with more is left as it is. */
const MOST_STATES = 20_000;
/** More numbers that move are those of records, if they are no shares, sizes or times. */
const MOST_COUNTED = 1;

/** Whether something is overwritten: there are returns that are no breaks of lines, and not too many. */
export function isOverwritten(text: string): boolean {
  let states = 0;
  for (let at = text.indexOf("\r"); at >= 0 && states <= MOST_STATES; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) !== LINE_FEED) states++;
  }
  return states > 0 && states <= MOST_STATES;
}

/**
 * Drops what a program has overwritten on its line: of a progress bar only the last state is left, as on a screen.
 * Only states that look like the next one, and only where the last of them hides the others, because it is at least
 * as long as they are, and has their words: a file may have nothing but returns between its records, and a program may
 * say how each of its tests went. Breaks of lines (CR LF) stay, and so does a text that has no others than returns.
 * Inverse: none needed, this is a declared normalisation of terminal output. Bound: every state is read a few times.
 */
export function stripProgress(text: string): string {
  let at = text.indexOf("\r");
  if (at < 0 || !text.trimEnd().includes("\n")) return text;
  const writer = createTextWriter(text);
  const isAddressed = hasAddress(text);
  while (at >= 0) {
    const line = text.lastIndexOf("\n", at) + 1;
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    // Behind a return, another row may follow.
    const hasRows = isAddressed && hasAddress(text.slice(line, end));
    if (!hasRows) for (const { from, to } of overwritten(text, line, end)) writer.replace(from, to, "");
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
    let hasFallen = false;
    for (; end < states.length && isSameBar(states[end - 1], states[end]); end++) {
      longest = Math.max(longest, sizeOf(states[end]));
      hasFallen ||= falls(states[end - 1], states[end]) || states[end]?.of !== states[first]?.of;
    }
    const last = states[end - 1];
    if (last === undefined || sizeOf(last) < longest) continue;
    const from = states[first]?.from ?? 0;
    const isProgress =
      last.shows === "bar" ||
      (end - first >= LEAST_ALIKE && !hasFallen && countMoved(states[first], last) <= MOST_COUNTED);
    if (!isProgress || last.from === from) continue;
    const shown = states.slice(first, end);
    let begin = from;
    for (const odd of last.shows === "bar" ? findOddStates(text, shown) : []) {
      if (odd.from > begin) found.push({ from: begin, to: odd.from });
      begin = odd.to + 1;
    }
    if (last.from > begin) found.push({ from: begin, to: last.from });
  }
  return found;
}

/** None where nothing is overwritten. */
function statesOf(text: string, line: number, lineEnd: number): State[] {
  let end = lineEnd;
  while (end > line && text.charCodeAt(end - 1) === RETURN) end--;
  const states: State[] = [];
  if (text.indexOf("\r", line) >= end) return states;
  let before = "";
  let read = readState(before);
  for (let from = line; from <= end; ) {
    const next = text.indexOf("\r", from);
    const to = next < 0 || next > end ? end : next;
    const shown = text.slice(from, to);
    // What is shown again is not read again.
    if (shown !== before) read = readState(shown);
    before = shown;
    states.push({ from, to, ...read });
    from = to + 1;
  }
  return states;
}

function sizeOf(state: State | undefined): number {
  return state === undefined ? 0 : state.to - state.from;
}

/** The next state of a bar may say more, and other things at its end; what has less done is another bar. */
function isSameBar(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined || state.shows !== next.shows) return false;
  if (state.shows === "record") return false;
  if (state.shows === "words") return state.still === next.still && state.words.isSubsetOf(next.words);
  if (!state.words.isSubsetOf(next.words)) return false;
  if (state.shows === "share") return state.plain.every((number, at) => number === next.plain[at]);
  return !falls(state, next) && next.still.startsWith(state.still.slice(0, LEAST_SHARED));
}

/** None of them has fallen in between. */
function countMoved(first: State | undefined, last: State): number {
  return last.plain.filter((number, at) => number !== first?.plain[at]).length;
}

/** Records may have any numbers, in any order. */
function falls(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined) return false;
  return next.done < state.done || next.percent < state.percent || anyFalls(state.numbers, next.numbers);
}

/** A single number that falls by one counts down. */
function anyFalls(numbers: readonly number[], next: readonly number[]): boolean {
  if (numbers.length !== next.length) return true;
  if (numbers.length === 1 && next[0] === (numbers[0] ?? 0) - 1) return false;
  return numbers.some((number, at) => (next[at] ?? 0) < number);
}
