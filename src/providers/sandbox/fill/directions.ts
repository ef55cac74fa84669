/** Arguments that say where something comes from or goes to, and the small words before what they want. */
const ORIGINS = new Set(["from", "origin", "source", "departure", "start"]);
const DESTINATIONS = new Set(["to", "destination", "target", "arrival", "recipient"]);
export const FROM_WORDS: readonly string[] = ["from", "von", "aus", "de", "depuis", "desde", "da"];
export const TO_WORDS: readonly string[] = ["to", "into", "nach", "zu", "vers", "hacia", "para", "à"];

export type Direction = "from" | "to" | "none";

/** By the words of an argument's name. */
export function directionOf(words: readonly string[]): Direction {
  if (words.some((word) => ORIGINS.has(word))) return "from";
  return words.some((word) => DESTINATIONS.has(word)) ? "to" : "none";
}
