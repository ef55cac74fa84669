import { type State, saidIn } from "./progress-states.ts";

/** Fewer states have nothing that nearly all of them say. */
const LEAST_STATES = 5;
/** What so many of them say is the frame that each is seen in. */
const SHARE_OF_FRAME = 0.8;
/** So many in a row are a phase of the work, which ends in the last of them. */
const LEAST_OF_PHASE = 5;

/**
 * The states of a bar that say something else where nearly all say the same, and that the last one does not say either:
 * one host that is down among those that are up, in whatever language. Of those in a row that say the same, or that are a
 * phase, the last. Bound: every state is read once more.
 */
export function findOddStates(text: string, states: readonly State[]): readonly State[] {
  if (states.length < LEAST_STATES) return [];
  const said = states.map(({ from, to }) => saidIn(text.slice(from, to)));
  const counts = new Map<string, number>();
  for (const words of said) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const least = states.length * SHARE_OF_FRAME;
  const frame = new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
  const known = frame.union(said.at(-1) ?? frame);
  const isOdd = said.map((words) => !frame.isSubsetOf(words) && !words.isSubsetOf(known));
  const found: State[] = [];
  for (let first = 0, end = 1; first < states.length; first = end++) {
    if (!isOdd[first]) continue;
    while (isOdd[end]) end++;
    const isPhase = end - first >= LEAST_OF_PHASE;
    for (let at = isPhase ? end - 1 : first; at < end; at++) {
      if (!isSame(said[at], said[at + 1])) found.push(states[at] as State);
    }
  }
  return found;
}

function isSame(words: ReadonlySet<string> | undefined, next: ReadonlySet<string> | undefined): boolean {
  return words !== undefined && next !== undefined && words.size === next.size && words.isSubsetOf(next);
}
