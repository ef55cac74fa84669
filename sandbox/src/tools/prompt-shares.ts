/** Which part of the prompt belongs to which of several tools. */

import { type Clues, readClues } from "../fill/clues.ts";
import { createMoments } from "../fill/moments.ts";
import { COMMAND } from "../fill/prompt-shapes.ts";
import { isWrittenAsCode, SENTENCE_END } from "./requested-actions.ts";
import type { Picked, TextPlace } from "./spoken-deed.ts";
import { placeOfThing } from "./tool-pick.ts";

/**
 * What each of several tools may take from the prompt: the clues next to its own words, so that in "the weather in
 * Paris and the time in Tokyo" one gets Paris and the other Tokyo. If a tool has nothing next to its name, the clues
 * next to its subject; the whole prompt if the tools cannot be told apart.
 */
export function promptShares(prompt: string, picked: readonly Picked[]): Clues[] {
  const whole = readClues(prompt);
  if (picked.length < 2) return picked.map((each) => ownSentence(whole, each) ?? whole);
  const starts = new Set(picked.map(({ at }) => at));
  const byName = split(whole, starts.size === picked.length ? picked : picked.map(({ last }) => last));
  if (byName?.isFull === true) return byName.shares;
  const things = picked.flatMap((each) => placeOfThing(each.known, whole.text) ?? []);
  const bySubject = things.length === picked.length ? split(whole, things) : undefined;
  return (bySubject ?? byName)?.shares ?? picked.map(() => whole);
}

/** The tool's own sentence, if it contains clues: whom to delete is not decided by other sentences. */
function ownSentence({ text, ...whole }: Clues, { at, end, known }: Picked): Clues | undefined {
  if (known.tells || known.passesText || isWrittenAsCode(text.slice(at, end))) return undefined;
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index);
  const own = readClues(
    text.slice(
      (ends.findLast((each) => each < at) ?? -1) + 1,
      ends.find((each) => each >= end),
    ),
  );
  return isSaying(own) ? { ...own, prompt: whole.prompt, labels: whole.labels } : undefined;
}

/** Splits the prompt at `places`. Text between two belongs to the first, or to the second if clues precede tools. */
function split(
  whole: Clues,
  places: readonly TextPlace[],
): { readonly shares: Clues[]; readonly isFull: boolean } | undefined {
  if (new Set(places.map(({ at }) => at)).size < places.length) return undefined;
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
    // The tool's own name is not a clue, though it may begin with a capital.
    return cluesIn(text.slice(start, place.at) + text.slice(place.end, end));
  });
  const shares = places.map((place) => {
    const at = inOrder.indexOf(place);
    const [later, earlier] = [stretches.slice(at), stretches.slice(0, at + 1).toReversed()];
    const near = comesFirst ? [...earlier, ...later] : [...later, ...earlier];
    return near.find(isSaying) ?? whole;
  });
  return { shares, isFull: stretches.every(isSaying) };
}

function isSaying({ names, quoted, numbers, text }: Clues): boolean {
  const days = createMoments(text).days();
  return (
    names.length + quoted.length + numbers.length + days.length > 0 ||
    /\S@\S|:\/\/|\w\/\w|\d[-:]\d|\w\.[a-z]{1,4}\b/.test(text) ||
    COMMAND.test(text)
  );
}
