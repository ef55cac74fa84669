/** Which part of the prompt belongs to which of several tools. */

import { type Clues, readClues } from "../fill/clues.ts";
import { createMoments } from "../fill/moments.ts";
import type { Picked, TextPlace } from "./spoken-deed.ts";
import { placeOfThing } from "./tool-pick.ts";

/**
 * What each of several tools may take from the prompt: what stands next to its own words, so that "the weather in
 * Paris and the time in Tokyo" is Paris for one and Tokyo for the other. All of it where the tools cannot be told
 * apart.
 */
export function promptShares(prompt: string, picked: readonly Picked[]): Clues[] {
  const whole = readClues(prompt);
  if (picked.length < 2) return picked.map(() => whole);
  const starts = new Set(picked.map(({ at }) => at));
  const byName = split(whole, starts.size === picked.length ? picked : picked.map(({ last }) => last));
  const things = picked.flatMap((each) => placeOfThing(each.known, whole.text) ?? []);
  const bySubject = split(whole, things.length === picked.length ? things : undefined);
  const shares = bySubject ?? byName;
  return picked.map((_each, at) => shares?.[at] ?? whole);
}

/** In the order of the places. What lies between two belongs to the first, or to the second where clues come first. */
function split(whole: Clues, places: readonly TextPlace[] | undefined): Clues[] | undefined {
  if (places === undefined || new Set(places.map(({ at }) => at)).size < places.length) return undefined;
  const { text } = whole;
  const inOrder = places.toSorted((one, other) => one.at - other.at);
  const cluesIn = (stretch: string): Clues => ({
    ...readClues(stretch),
    prompt: whole.prompt,
    labels: whole.labels,
  });
  const head = cluesIn(text.slice(0, inOrder[0]?.at));
  const tail = cluesIn(text.slice(inOrder.at(-1)?.end));
  const comesFirst = isSaying(head) && !isSaying(tail);
  const stretches = inOrder.map((place, at) => {
    const [before, after] = [inOrder[at - 1], inOrder[at + 1]];
    const start = comesFirst || before === undefined ? (before?.end ?? 0) : place.at;
    const end = comesFirst && after !== undefined ? place.end : (after?.at ?? text.length);
    // The tool's own word is no clue, though it may begin with a capital.
    return cluesIn(text.slice(start, place.at) + text.slice(place.end, end));
  });
  return places.map((place) => {
    const at = inOrder.indexOf(place);
    const [later, earlier] = [stretches.slice(at), stretches.slice(0, at + 1).toReversed()];
    const near = comesFirst ? [...earlier, ...later] : [...later, ...earlier];
    return near.find(isSaying) ?? whole;
  });
}

function isSaying({ names, quoted, numbers, text }: Clues): boolean {
  const days = createMoments(text).days();
  return (
    names.length + quoted.length + numbers.length + days.length > 0 ||
    /\S@\S|:\/\/|\w\/\w|\d[-:]\d|\w\.[a-z]{1,4}\b/.test(text)
  );
}
