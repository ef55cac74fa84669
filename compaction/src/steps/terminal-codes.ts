import { mayHaveFences } from "../fences/scan-fences.ts";

/** Colours and other letters, and erasures up to the end of a line. */
const ESCAPE = "\\u001b";
const PLAIN = new RegExp(`${ESCAPE}\\[([\\d;:]*)[mK]`, "g");
/** What sets red, green or strike-through: one of the first two alone is decoration. */
const RED = /(?:^|;)(?:[349]|10)1(?=;|$)/;
const GREEN = /(?:^|;)(?:[349]|10)2(?=;|$)/;
const STRIKE = /(?:^|;)0*9(?=;|$)/;
const RESET = /^[0;]*$/;
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Drops plain colours: a model sees none, and each costs several tokens. Colours may also carry meaning: a text with
 * red and green, with strike-through, or with two colours that alone keep words apart stays as it is, and so does one
 * with any other code, such as a cursor move. Inverse: none needed, this is a declared normalisation. Bound: one pass.
 */
export function dropColours(text: string): string {
  if (!text.includes("\x1b")) return text;
  let isRed = false;
  let isGreen = false;
  let isColoured = false;
  let wasColoured = false;
  let before = "";
  let end = -1;
  for (const { 0: code, 1: set = "", index } of text.matchAll(PLAIN)) {
    if (STRIKE.test(set)) return text;
    isRed ||= RED.test(set);
    isGreen ||= GREEN.test(set);
    if (isRed && isGreen) return text;
    // Of adjacent codes, the first one follows the text.
    if (index !== end) {
      wasColoured = isColoured;
      before = text.charAt(index - 1);
    }
    if (code.endsWith("m")) isColoured = !RESET.test(set);
    end = index + code.length;
    if (wasColoured && isColoured && WORD.test(before) && WORD.test(text.charAt(end))) return text;
  }
  const plain = text.replaceAll(PLAIN, "");
  return plain.includes("\x1b") || mayHaveFences(plain) ? text : plain;
}
