import { afterOrder } from "../../contract/index.ts";
import type { StopSignal } from "../../kit/index.ts";

/** Concurrent calls per request: ten images take three rounds and do not exhaust the vendor's rate limit. */
const MAX_AT_ONCE = 4;

/**
 * Makes `n` items by calls that return at most `perCall` each. Any item made is a success. After a failure no further
 * round starts, since it would be refused as well; the failure is thrown only if nothing was made.
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
  // Of several calls, one that failed otherwise may have made something.
  if (made.length === 0) throw n > perCall ? afterOrder(failure) : failure;
  return made;
}
