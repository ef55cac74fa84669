import { createTextWriter } from "../text/text-writer.ts";
import { hasAddress } from "./drawn-over.ts";
import { findOddStates } from "./odd-states.ts";
import { readState, type State } from "./progress-states.ts";

const RETURN = 13;
const LINE_FEED = 10;

/** States with this many initial characters in common are of the same bar, whatever follows. */
const LEAST_SHARED = 3;
/** This many consecutive states that differ only in what moves are progress, even without a bar. */
const LEAST_ALIKE = 5;
/** No interactive program shows more; a text with more is left as it is. */
const MOST_STATES = 8_000;
/** More moving numbers mean records, unless they are percentages, sizes or times. */
const MOST_COUNTED = 1;

/** Whether something is overwritten: there are carriage returns that are not line breaks, and not too many. */
export function isOverwritten(text: string): boolean {
  let states = 0;
  for (let at = text.indexOf("\r"); at >= 0 && states <= MOST_STATES; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) !== LINE_FEED) states++;
  }
  return states > 0 && states <= MOST_STATES;
}

/**
 * Drops what a program has overwritten on its line: only the last state of a progress bar is left, as on a screen.
 * Only drops states that look like the next one, and only if the last one hides the others, because it is at least as
 * long and contains their words: a file may have only carriage returns between its records, and a program may report
 * how each of its tests went. Line breaks (CR LF) stay, and so does a text that has only carriage returns. Inverse:
 * none needed, this is a declared normalisation of terminal output. Bound: every state is read a few times.
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
    // After a carriage return, text may be written to another row.
    const hasRows = isAddressed && hasAddress(text.slice(line, end));
    if (!hasRows) for (const { from, to } of overwritten(text, line, end)) writer.replace(from, to, "");
    at = text.indexOf("\r", end);
  }
  return writer.finish();
}

type Stretch = { readonly from: number; readonly to: number };

/** The states of a line that are no longer visible: all but the last of each bar, if that hides the others. */
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

/** Empty if nothing is overwritten. */
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
    // A repeated state is not parsed again.
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

/** The next state of a bar may have more text, and differ at its end; one with less progress is another bar. */
function isSameBar(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined || state.shows !== next.shows) return false;
  if (state.shows === "record") return false;
  if (state.shows === "words") return state.still === next.still && state.words.isSubsetOf(next.words);
  if (!state.words.isSubsetOf(next.words)) return false;
  if (state.shows === "share") return state.plain.every((number, at) => number === next.plain[at]);
  return !falls(state, next) && next.still.startsWith(state.still.slice(0, LEAST_SHARED));
}

/** How many plain numbers changed; callers make sure that none has decreased in between. */
function countMoved(first: State | undefined, last: State): number {
  return last.plain.filter((number, at) => number !== first?.plain[at]).length;
}

/** A decrease means records, whose numbers are in any order. */
function falls(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined) return false;
  return next.done < state.done || next.percent < state.percent || anyFalls(state.numbers, next.numbers);
}

/** A single number that decreases by one is a countdown, not a decrease. */
function anyFalls(numbers: readonly number[], next: readonly number[]): boolean {
  if (numbers.length !== next.length) return true;
  if (numbers.length === 1 && next[0] === (numbers[0] ?? 0) - 1) return false;
  return numbers.some((number, at) => (next[at] ?? 0) < number);
}
