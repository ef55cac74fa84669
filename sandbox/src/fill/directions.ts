import { hasAny, setOf } from "./identifier.ts";

/** Arguments that say where something comes from or goes to. */
const ORIGINS = setOf("from origin source departure start");
const DESTINATIONS = setOf("to destination target arrival recipient");

/** Prepositions directly before their values. */
export const SMALL_WORDS: Readonly<Record<Direction, readonly string[]>> = {
  from: ["from", "von", "aus", "de", "depuis", "desde", "da"],
  to: ["to", "into", "nach", "zu", "vers", "hacia", "para", "à"],
  none: [],
};

export type Direction = "from" | "to" | "none";

/** Judged by the words of an argument's name. */
export function directionOf(words: readonly string[]): Direction {
  if (hasAny(words, ORIGINS)) return "from";
  return hasAny(words, DESTINATIONS) ? "to" : "none";
}
