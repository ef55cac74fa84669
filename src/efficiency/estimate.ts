import { AFTER, BEFORE, CLASS_OF, DIGIT, FOREIGN } from "./character-class.ts";
import { UNITS_PER_TOKEN, unknownUnits } from "./token-cost.ts";
import {
  FILTER,
  FIRST_BIT_SHIFT,
  isKnown,
  LONGEST_KNOWN,
  MULTIPLIER,
  NUMBER_SHIFT,
  SECOND_BIT_SHIFT,
} from "./token-filter.ts";
import { digitUnits, endOfRun, foreignUnits } from "./token-runs.ts";
import { BEGINS } from "./token-words.ts";

const NOTHING_BEFORE = (BEFORE << 12) | (BEFORE << 8) | (BEFORE << 4);

/**
 * About how many tokens a model reads in this text. One pass over char codes, no regular expression, nothing
 * allocated: hostile text costs what plain text of its length costs. Appending never lowers the result, which is
 * what lets an output limit be found by halving: a word counts when it begins, what is unknown in it when it ends.
 *
 * Every chat call goes through the inner loop with all of its text. It has no branch that depends on the text but
 * two rare ones, since a mistaken guess of the processor costs more than all the rest of a step: masks (-1 or 0)
 * say where a word begins, and what is looked up elsewhere is masked away.
 */
export function estimateTokens(text: string): number {
  const length = text.length;
  let words = 0;
  let units = 0;
  let at = 0;
  while (at < length) {
    let current = text.charCodeAt(at);
    let kind = CLASS_OF[current] as number;
    let start = at;
    let hash = 0;
    if (kind < DIGIT) {
      let context = NOTHING_BEFORE | kind;
      while (++at < length) {
        const next = text.charCodeAt(at);
        kind = CLASS_OF[next] as number;
        context = ((context << 4) | kind) & 0xffff;
        const begins = BEGINS[context] as number;
        // Masked, so that a step within a word reads a number that is at hand.
        const bits = FILTER[(hash >>> NUMBER_SHIFT) & begins] as number;
        const known = (bits >> (hash >> FIRST_BIT_SHIFT)) & (bits >> (hash >> SECOND_BIT_SHIFT)) & 1;
        const isUnknown = (known - 1) | ((start + LONGEST_KNOWN + 1 - at) >> 31);
        if ((begins & isUnknown) !== 0) units += unknownUnits(text, start, at - 1);
        words = (words - begins) | 0;
        hash = Math.imul(((hash & ~begins) + current) | 0, MULTIPLIER);
        start = (start & ~begins) | ((at - 1) & begins);
        if (kind >= DIGIT) break;
        current = next;
      }
      if (at === length) {
        const begins = BEGINS[((context << 4) | AFTER) & 0xffff] as number;
        units += begins === 0 ? openUnits(text, start) : closedUnits(text, start, length - 1, hash);
        words -= begins;
        break;
      }
      if (kind === DIGIT || at - start > 1) {
        units += closedUnits(text, start, at, hash);
        hash = 0;
      }
    }
    const end = endOfRun(text, at, kind);
    units += kind === FOREIGN ? foreignUnits(text, at, end, hash) : digitUnits(end - at);
    at = end;
  }
  return words + Math.round(units / UNITS_PER_TOKEN);
}

function closedUnits(text: string, start: number, end: number, hash: number): number {
  return end - start <= LONGEST_KNOWN && isKnown(hash) ? 0 : unknownUnits(text, start, end);
}

/** The last word may go on and become a known one: until it is too long for that, nothing in it counts as unknown. */
function openUnits(text: string, start: number): number {
  return text.length - start > LONGEST_KNOWN ? unknownUnits(text, start, text.length) : 0;
}
