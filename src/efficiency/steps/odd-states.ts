import { type State, saidIn } from "./progress-states.ts";

/** With fewer states there is no clear majority. */
const LEAST_STATES = 5;
/** Words in at least this share of the states are the frame. */
const SHARE_OF_FRAME = 0.8;
/** This many odd states in a row are a phase of the work, of which only the last one counts. */
const LEAST_OF_PHASE = 5;

/**
 * The states of a progress bar that differ where nearly all are the same, and whose text is not in the last one
 * either: one host that is down among those that are up, in any language. Of consecutive states with the same text,
 * or of a phase, only the last. Bound: every state is read once more.
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
