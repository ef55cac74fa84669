import { mayHaveFences } from "../fences/scan-fences.ts";
import { type JsonTape, scanJson } from "./json-tape.ts";

/** A JSON value at the end of a text, and the text before it. */
export type FoundJson = { readonly lead: string; readonly tape: JsonTape };

/** A line that announces the value, and a blank one. If there are more, the text is no list of results. */
const MOST_LEAD_LINES = 2;
const MOST_LEAD = 400;

/** The whole text as JSON, or all of it after some introductory lines. Bound: only a few starts are tried. */
export function findJson(text: string): FoundJson | null {
  const tape = scanJson(text);
  if (tape !== null) return { lead: "", tape };
  let from = 0;
  for (let line = 1; line <= MOST_LEAD_LINES; line++) {
    from = text.indexOf("\n", from) + 1;
    if (from === 0 || from > MOST_LEAD) return null;
    const lead = text.slice(0, from);
    const code = text.charCodeAt(from);
    const isStart = (code === 91 || code === 123) && !mayHaveFences(lead);
    const found = isStart ? scanJson(text.slice(from)) : null;
    if (found !== null) return { lead, tape: found };
  }
  return null;
}

/** How values are set apart on one line. */
export type JsonStyle = { readonly comma: string; readonly colon: string };

export const COMPACT: JsonStyle = { comma: ",", colon: ":" };
/** As Python's `json.dumps` writes it. */
const SPACED: JsonStyle = { comma: ", ", colon: ": " };

/** The style in which a JSON text on one line was written throughout; null for any other. */
export function oneLineStyleOf({ text, gaps, starts, ends, kinds, nexts }: JsonTape): JsonStyle | null {
  if (starts[0] !== 0) return null;
  const count = gaps.at(-1) === text.length && gaps.at(-2) === ends[0] ? gaps.length - 2 : gaps.length;
  if (count === 0) return COMPACT;
  for (let at = 0; at < count; at += 2) {
    const start = gaps[at] as number;
    const before = text.charCodeAt(start - 1);
    const isBetween = before === 44 || before === 58;
    if (!isBetween || gaps[at + 1] !== start + 1 || text.charCodeAt(start) !== 32) return null;
  }
  // In every container that is not empty, one less than it has values (and keys).
  let separators = kinds.length - 1;
  for (const [value, kind] of kinds.entries()) {
    const isContainer = kind === "object" || kind === "array";
    if (isContainer && (nexts[value] as number) > value + 1) separators--;
  }
  return count / 2 === separators ? SPACED : null;
}

/**
 * Drops the white space between JSON values: it means nothing to a model, and costs a fifth of the tokens. Inverse:
 * none needed, this is a declared normalisation. Bound: one pass over the gaps.
 */
export function minifyJson({ text, gaps }: JsonTape): string {
  let written = "";
  let copied = 0;
  for (let at = 0; at < gaps.length; at += 2) {
    written += text.slice(copied, gaps[at]);
    copied = gaps[at + 1] as number;
  }
  return copied === 0 ? text : written + text.slice(copied);
}
