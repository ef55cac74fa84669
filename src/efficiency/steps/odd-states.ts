import { type State, saidIn } from "./progress-states.ts";

/** Fewer states have nothing that nearly all of them say. */
const LEAST_STATES = 5;
/** What so many of them say is the frame that each is seen in. */
const SHARE_OF_FRAME = 0.8;

/**
 * The states of a bar that say something else where nearly all say the same, and that the last one does not say either:
 * one host that is down among those that are up, in whatever language. Bound: every state is read once more.
 */
export function findOddStates(text: string, states: readonly State[]): readonly State[] {
  if (states.length < LEAST_STATES) return [];
  const said = states.map(({ from, to }) => saidIn(text.slice(from, to)));
  const counts = new Map<string, number>();
  for (const words of said) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const least = states.length * SHARE_OF_FRAME;
  const frame = new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
  const known = frame.union(said.at(-1) ?? frame);
  return states.filter((_, at) => {
    const words = said[at] ?? known;
    return !frame.isSubsetOf(words) && !words.isSubsetOf(known);
  });
}
