import { endOfSequence, PARAMETERS } from "./control-sequences.ts";

const ADDRESS = /\[[\d;]*[Hfd]/g;
/** Switches to the alternate screen, which starts empty. */
const OTHER_SCREEN = /^\[\?(?:47|1047|1049)h$/;
const SHOWN = /\S/;
/** An absolute move to the first column. */
const FIRST_COLUMN = /\[\d*(?:;[01]?)?[Hf]$/;

/**
 * Whether absolute cursor moves return to a row that already has text, as in the output of `watch` and other
 * full-screen programs: only these moves say which row a value belongs to. Erased text does not count, nor does text
 * between saving and restoring the cursor. Bound: one pass, and only if there are such moves.
 */
export function isDrawnOver(text: string): boolean {
  if (!hasAddress(text)) return false;
  let screen: Screen = { row: 1, lowest: 0, isAddressed: false, isAtStart: false, saved: null };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\x1b", at);
    const start = next < 0 ? text.length : next;
    const end = endOfSequence(text, start);
    // An incomplete sequence is shown as text.
    const shown = text.slice(at, end > start ? start : start + 1);
    for (const [index, line] of shown.split("\n").entries()) {
      if (index > 0) screen = { ...screen, row: screen.row + 1 };
      if (screen.saved !== null || !SHOWN.test(line)) continue;
      if (screen.isAddressed && screen.row <= screen.lowest) return true;
      screen = { ...screen, isAddressed: false, lowest: Math.max(screen.lowest, screen.row) };
    }
    if (end > start) screen = screenAfter(text.slice(start, end), screen);
    at += shown.length + end - start;
  }
  return false;
}

/** Whether there is an absolute move to a row. */
function hasAddress(text: string): boolean {
  for (const { index } of text.matchAll(ADDRESS)) if (text.charAt(index - 1) === "\x1b") return true;
  return false;
}

type Screen = {
  readonly row: number;
  /** The lowest row with text. */
  readonly lowest: number;
  /** True if an absolute move led to this row, and nothing was written since. */
  readonly isAddressed: boolean;
  /** True if it led to the first column. */
  readonly isAtStart: boolean;
  /** The saved row; null if none is saved. */
  readonly saved: number | null;
};

function screenAfter(sequence: string, screen: Screen): Screen {
  const { row, lowest, saved } = screen;
  if (OTHER_SCREEN.test(sequence.slice(1))) return { ...screen, lowest: 0, isAddressed: false, saved: null };
  const isParameters = sequence.charAt(1) === "[";
  const parameters = isParameters ? sequence.slice(2, -1) : "";
  if (!PARAMETERS.test(parameters)) return screen;
  const first = Number.parseInt(parameters, 10);
  const count = first || 1;
  // Without `[`, the letters have other meanings.
  switch (isParameters ? sequence.slice(-1) : `\x1b${sequence.slice(1)}`) {
    case "H":
    case "f":
    case "d":
      return { ...screen, row: count, isAddressed: true, isAtStart: FIRST_COLUMN.test(sequence) };
    case "J":
      if (first === 1) return screen;
      return { ...screen, lowest: first > 1 ? 0 : Math.min(lowest, row - 1) };
    case "K": {
      const isEmptied = first === 2 || (first !== 1 && screen.isAddressed && screen.isAtStart);
      return isEmptied && row === lowest ? { ...screen, lowest: row - 1 } : screen;
    }
    case "B":
    case "E":
    case "e":
      return { ...screen, row: row + count };
    case "A":
    case "F":
      return { ...screen, row: Math.max(1, row - count) };
    case "\x1bD":
    case "\x1bE":
      return { ...screen, row: row + 1 };
    case "s":
    case "\x1b7":
      return { ...screen, saved: row };
    case "u":
    case "\x1b8":
      return { ...screen, row: saved ?? row, isAddressed: false, saved: null };
    default:
      return screen;
  }
}
