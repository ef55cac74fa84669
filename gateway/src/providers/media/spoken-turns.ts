import { afterOrder, MAX_SPOKEN_TURNS, ProviderFailure, type SpokenLine } from "../../contract/index.ts";

const MAX_AT_ONCE = 3;

/** Merges consecutive lines of the same voice: fewer calls, and the voice flows. */
export function turnsOf(lines: readonly SpokenLine[]): readonly SpokenLine[] {
  const turns: SpokenLine[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    if (last === undefined || last.voice !== line.voice) turns.push(line);
    else turns[turns.length - 1] = { voice: last.voice, text: `${last.text}\n${line.text}` };
  }
  return turns;
}

/** Speaks each turn with a separate call, and returns them in order. After a failure, no further round starts. */
export async function sayInTurn<Turn>(
  turns: readonly Turn[],
  say: (turn: Turn) => Promise<Uint8Array>,
): Promise<readonly Uint8Array[]> {
  if (turns.length > MAX_SPOKEN_TURNS) {
    throw new ProviderFailure("rejected", `This model takes at most ${MAX_SPOKEN_TURNS} changes of voice.`);
  }
  const sounds: Uint8Array[] = [];
  for (let at = 0; at < turns.length; at += MAX_AT_ONCE) {
    const ends = await Promise.allSettled(turns.slice(at, at + MAX_AT_ONCE).map(say));
    for (const end of ends) {
      if (end.status === "rejected") throw turns.length > 1 ? afterOrder(end.reason) : end.reason;
      sounds.push(end.value);
    }
  }
  return sounds;
}
