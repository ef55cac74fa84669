import type { StopSignal } from "../../kit/index.ts";

/** Calls under way at once for one request: ten pictures are three rounds, and the vendor's limit is not burnt. */
const MAX_AT_ONCE = 4;

/**
 * `n` things by calls that bring at most `perCall` each. What was made is a success, however little: a failure
 * ends it only where there is nothing, and keeps the next round from being refused again.
 */
export async function makeInRounds<Made>(input: {
  readonly n: number;
  readonly perCall: number;
  readonly signal: StopSignal;
  make(n: number): Promise<readonly Made[]>;
}): Promise<readonly Made[]> {
  const { n, perCall, signal, make } = input;
  const made: Made[] = [];
  let failure: unknown;
  for (let left = n; left > 0 && failure === undefined; ) {
    const round: Promise<readonly Made[]>[] = [];
    for (; left > 0 && round.length < MAX_AT_ONCE; left -= perCall) round.push(make(Math.min(left, perCall)));
    const ends = await Promise.allSettled(round);
    signal.throwIfAborted();
    for (const end of ends) {
      if (end.status === "fulfilled") made.push(...end.value);
      else failure ??= end.reason;
    }
  }
  if (made.length === 0) throw failure;
  return made;
}
