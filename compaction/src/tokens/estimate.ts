import { CLASS_OF, DIGIT, FOREIGN } from "./character-class.ts";
import { countPieces, LONGEST_PIECE } from "./text-pieces.ts";
import { UNITS_PER_TOKEN } from "./token-cost.ts";
import { digitUnits, endOfRun, foreignUnits } from "./token-runs.ts";
import { readStretch, type Tally } from "./token-stretch.ts";

/**
 * Estimates the tokens of a text. One pass over char codes, no regular expression, no allocation but a tally: hostile
 * text costs as much time as plain text of its length. Appending never lowers the result, so that an output limit can
 * be found by bisection: a word counts when it starts, its unknown part when it ends.
 */
export function estimateTokens(text: string): number {
  const { length } = text;
  if (length > LONGEST_PIECE) return countPieces(text, estimateTokens);
  const tally: Tally = { words: 0, units: 0, openHash: 0 };
  let at = 0;
  while (at < length) {
    tally.openHash = 0;
    if ((CLASS_OF[text.charCodeAt(at)] as number) < DIGIT) {
      at = readStretch(text, at, tally);
      if (at === length) break;
    }
    const kind = CLASS_OF[text.charCodeAt(at)] as number;
    const end = endOfRun(text, at, kind);
    tally.units += kind === FOREIGN ? foreignUnits(text, at, end, tally.openHash) : digitUnits(end - at);
    at = end;
  }
  return tally.words + Math.round(tally.units / UNITS_PER_TOKEN);
}
