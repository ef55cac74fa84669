import { ACCENTED, ALPHABETIC, IDEOGRAPH, SURROGATE, SYMBOL, WIDE } from "./character-class.ts";

/** Costs are whole hundredths of a token, so that sums are exact and the same on every machine. */
export const UNITS_PER_TOKEN = 100;

export const DIGITS_PER_TOKEN = 3;
export const DIGIT_GROUP_COST = 100;
/** A space joins the word after it, but not a number. */
export const SPACE_BEFORE_DIGITS_COST = 100;
/** Two blanks or more: an indent or a column is one token, whatever its width. */
export const SPACES_COST = 100;

/** `.name`, `_id` and `"key` often share a token with their mark. Below any word's cost, so no run is negative. */
export const GLUED_WORD_SAVING = 20;

const WHOLE_WORD_LETTERS = 6;
const LONG_WORD_LETTERS = 14;

/** Common words are one token; rarer, longer ones fall apart slowly, and runs no language has faster. */
export function wordCost(letters: number, capitals: boolean): number {
  if (capitals) return 65 + letters * 25;
  if (letters <= WHOLE_WORD_LETTERS) return 100;
  if (letters <= LONG_WORD_LETTERS) return 100 + (letters - WHOLE_WORD_LETTERS) * 8;
  return 164 + (letters - LONG_WORD_LETTERS) * 25;
}

export function punctuationCost(characters: number, uniform: boolean): number {
  if (uniform) return characters === 1 ? 85 : 100 + characters * 4;
  return 60 + characters * 35;
}

/** A line break after punctuation is usually part of its token. */
export function lineBreakCost(breaks: number, afterPunctuation: boolean): number {
  return (afterPunctuation ? 15 : 110) + Math.max(0, breaks - 4) * 6;
}

export function glyphCost(kind: number): number {
  switch (kind) {
    case ACCENTED:
      return 90;
    case ALPHABETIC:
      return 35;
    case SYMBOL:
      return 30;
    case IDEOGRAPH:
      return 68;
    case SURROGATE:
      return 60;
    case WIDE:
      return 100;
    default:
      return UNITS_PER_TOKEN;
  }
}
