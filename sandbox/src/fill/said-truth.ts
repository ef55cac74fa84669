import type { Clues } from "./clues.ts";
import { hasAny, identifierWords, setOf } from "./identifier.ts";
import { placesOf } from "./mention.ts";

const YES = new Set(["true", "yes", "on", "1"]);
const NO = new Set(["false", "no", "off", "0"]);
/** Words that make a name a boolean but do not identify it: `is_active` is said as "active". */
const AUXILIARY = setOf("is are has have should use with include enable allow do");
const MIN_CHARACTERS = 3;

const DENIED_BEFORE = /\b(?:no|not|non|never|without|don't|skip|disable)[ -](?:\w{1,12} )?$/;
const DENIED_AFTER = /^["']?\s?(?:is |to |= ?)?(?:off|false|no|disabled)\b/;

/** Arguments that "turn it on" refers to; `off` is the inverted one. */
const SWITCHES = new Set(["on", "off", "enabled", "power"]);
/** "Turn on the lights", or at the end of a clause: "the lights in the hall off". */
const SWITCHED =
  /\b(?:turn|switch|power)(?:s|ed|ing)? (on|off)\b|\b(on|off)(?=\s{0,3}(?:[,.;!?\n]|$|(?:and|please|now)\b))/;

/** Whether the prompt says yes or no to an argument, by its label or by mentioning its name; undefined if neither. */
export function saidTruth(clues: Clues, name: string): boolean | undefined {
  const labelled = clues.labels.get(name.toLowerCase())?.[0]?.toLowerCase() ?? "";
  if (YES.has(labelled)) return true;
  if (NO.has(labelled)) return false;
  const words = identifierWords(name);
  const own = AUXILIARY.has(words[0] ?? "") ? words.slice(1) : words;
  const text = clues.text.toLowerCase();
  if (own.join("").length < MIN_CHARACTERS) return switchedTo(own, text);
  for (const form of new Set([" ", "-", "_", ""].map((mark) => own.join(mark)))) {
    const [at] = placesOf(form, text, 1);
    if (at === undefined) continue;
    const before = text.slice(Math.max(0, at - 24), at);
    const after = text.slice(at + form.length, at + form.length + 12);
    return !DENIED_BEFORE.test(before) && !DENIED_AFTER.test(after);
  }
  return switchedTo(own, text);
}

function switchedTo(words: readonly string[], text: string): boolean | undefined {
  const said = hasAny(words, SWITCHES) ? SWITCHED.exec(text) : null;
  return said === null ? undefined : (said[1] ?? said[2]) === (words.includes("off") ? "off" : "on");
}
