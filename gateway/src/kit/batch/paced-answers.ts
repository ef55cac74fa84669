/**
 * All callers of a batch continue together, and what they do next may take long. More than this in one turn of the
 * event loop would hold up everybody else, including new requests that only need to be refused.
 */
const TURN_MS = 10;
/** Always answered in one turn: with fewer, the next batch would start before it is full. */
const ANSWERED_AT_ONCE = 16;
/** Weight of the newest measurement in the moving average of a caller's time. */
const NEWS = 0.2;

type Waiting<Result> = { resolve(result: Result): void };

/** Resolves the waiting callers in the order of the results. Returns at once; later calls are answered after these. */
type PacedAnswers<Result> = (waiting: readonly Waiting<Result>[], results: readonly Result[]) => void;

/** A small batch is answered at once; a large one by as many callers at a time as a turn of the loop has room for. */
export function createPacedAnswers<Result>(): PacedAnswers<Result> {
  /** Ends when all batches so far are answered, one after the other; null if none is pending. */
  let answering: Promise<void> | null = null;
  /** Moving average of what a caller does with its result before it waits again. */
  let msPerCaller = TURN_MS / ANSWERED_AT_ONCE;

  /** What callers do is spread over many microtasks: only the next turn of the loop can tell how long that took. */
  async function answerByTurns(
    waiting: readonly Waiting<Result>[],
    results: readonly Result[],
  ): Promise<void> {
    for (let at = 0; at < waiting.length; ) {
      const startedMs = performance.now();
      const from = at;
      const room = Math.max(ANSWERED_AT_ONCE, Math.floor(TURN_MS / msPerCaller));
      const until = Math.min(waiting.length, at + room);
      for (; at < until; at++) waiting[at]?.resolve(results[at] as Result);
      await nextTurn();
      msPerCaller += ((performance.now() - startedMs) / (until - from) - msPerCaller) * NEWS;
    }
  }

  return (waiting, results) => {
    if (answering === null && waiting.length <= ANSWERED_AT_ONCE) {
      for (let i = 0; i < waiting.length; i++) waiting[i]?.resolve(results[i] as Result);
      return;
    }
    const answered = Promise.resolve(answering).then(() => answerByTurns(waiting, results));
    answering = answered;
    void answered.then(() => {
      if (answering === answered) answering = null;
    });
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
