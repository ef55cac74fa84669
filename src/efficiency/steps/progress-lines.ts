import { createTextWriter } from "../text-writer.ts";

const RETURN = 13;

/**
 * A bar, a spinner, a share with its count or speed, or the times that `curl` and `ffmpeg` show: records of a file have
 * none of these, whatever else they have.
 */
const BAR = new RegExp(
  [
    "[=#─-▟■-◿]{3}",
    "\\[[=#>. -]{5,}\\]",
    "%\\[[=> ]",
    "%\\|[^|]*\\| *[\\d.]+[a-zA-Z]*/[\\d.]+[a-zA-Z]* \\[",
    "[⠀-⣿]",
    "^[^-|/\\\\]*\\s[-|/\\\\]\\s*$",
    "\\d ?% \\(\\d+/\\d+\\)",
    "\\d ?% .{0,80}B/s",
    "(?:[\\d-]{1,3}:[\\d-]{2}:[\\d-]{2} +){3}",
    "^frame= *\\d+ fps=",
  ].join("|"),
);
/** A bar has words before it, behind it or in it, and no other bar behind those: this is a title. */
const TITLE_START = /^\s*[=#─-▟■-◿]{3}/;
const TITLE_END = /[=#─-▟■-◿]{3}\s*$/;
/** So much of a hundred, or so many of so many: progress where it does not fall, but records have these, too. */
const SHARE = /(?<!\d|\d\.)(\d+(?:\.\d+)?) ?%|(?<![\d/]|\d\.)(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?)(?![\d/])/;
/** What moves from one state to the next: numbers with their units, bars, spinners and blanks. */
const MOVING = /\d[\d.:]* ?(?:[kKMGT]?i?[Bb](?![a-z]))?|[\s.:%/|\\\-=#<>()[\]─-▟■-◿⠀-⣿]/g;
/** Between the thousands of a number, which has more of them as it grows. */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
/** So much of what does not move is the same bar, whatever it says behind that. */
const LEAST_SHARED = 3;
/** So many states in a row that say the same, but for what moves, are progress without a bar, too. */
const LEAST_ALIKE = 5;
/** Fields between separators, quotes, brackets, days, statements: records of a file may all say the same. */
const RECORD = /\d,|,\S|[;\t"{}<>]|\|[^|]*\||\d[-/.]\d+[-/.]\d/;
/** What goes up and down while work goes on. */
const SPEED = /(?<![\d.])\d[\d.]* ?[a-zA-Z]*\/s/g;
/** Hours, minutes and seconds are one number. */
const IN_TIME = /(?<=\d):(?=\d\d)/g;
const NUMBER = /\d+(?:\.\d+)?/g;
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
    let hasFallen = false;
    for (; end < states.length && isSameBar(states[end - 1], states[end]); end++) {
      longest = Math.max(longest, sizeOf(states[end]));
      hasFallen ||= falls(states[end - 1], states[end]) || states[end]?.of !== states[first]?.of;
    }
    const last = states[end - 1];
    if (last === undefined || sizeOf(last) < longest) continue;
    const from = states[first]?.from ?? 0;
    const isProgress = last.shows === "bar" || (end - first >= LEAST_ALIKE && !hasFallen);
    if (isProgress && last.from > from) found.push({ from, to: last.from });
  }
  return found;
}

type State = Stretch & {
  /** Shares and words may be progress, where enough of them are alike. */
  readonly shows: "bar" | "share" | "words" | "record";
  /** What does not move in it. */
  readonly still: string;
  /** So many of so many; no number where it says none. */
  readonly done: number;
  readonly of: number;
  /** All numbers beside words, but for speeds. */
  readonly numbers: readonly number[];
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

function readState(shown: string): Omit<State, keyof Stretch> {
  const plain = shown.replaceAll(THOUSANDS, "");
  const still = plain.replaceAll(MOVING, "");
  const [, percent, count, of] = SHARE.exec(plain) ?? [];
  const share = { still, done: Number(percent ?? count), of: Number(of ?? 100), numbers: [] };
  if (BAR.test(shown) && !isTitle(shown)) return { shows: "bar", ...share };
  if (RECORD.test(shown)) return { shows: "record", ...share };
  if (!Number.isNaN(share.done)) return { shows: "share", ...share };
  if (!WORD.test(still)) return { shows: "record", ...share };
  return { shows: "words", ...share, numbers: numbersOf(shown) };
}

function isTitle(shown: string): boolean {
  return TITLE_START.test(shown) && TITLE_END.test(shown) && WORD.test(shown);
}

function numbersOf(shown: string): number[] {
  const plain = shown.replaceAll(SPEED, "").replaceAll(IN_TIME, "");
  return (plain.match(NUMBER) ?? []).map(Number);
}

function sizeOf(state: State | undefined): number {
  return state === undefined ? 0 : state.to - state.from;
}

/** The next state of a bar may say more, and other things at its end; what has less done is another bar. */
function isSameBar(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined || state.shows !== next.shows) return false;
  if (state.shows === "record" || (state.shows === "bar" && falls(state, next))) return false;
  if (state.shows === "words") return state.still === next.still;
  return next.still.startsWith(state.still.slice(0, LEAST_SHARED));
}

/** Records may have any numbers, in any order. */
function falls(state: State | undefined, next: State | undefined): boolean {
  if (state === undefined || next === undefined) return false;
  return next.done < state.done || anyFalls(state.numbers, next.numbers);
}

/** A single number that falls by one counts down. */
function anyFalls(numbers: readonly number[], next: readonly number[]): boolean {
  if (numbers.length !== next.length) return true;
  if (numbers.length === 1 && next[0] === (numbers[0] ?? 0) - 1) return false;
  return numbers.some((number, at) => (next[at] ?? 0) < number);
}
