/**
 * Callers of one batch go on together, and what they do next may take long. Longer than this in one turn of the event
 * loop would hold up everybody else, newcomers who are to be refused included.
 */
const TURN_MS = 10;
/** Answered in any case: fewer would start the next batch before it is full. */
const ANSWERED_AT_ONCE = 16;
/** How much of what is believed of the callers is news after each turn. */
const NEWS = 0.2;

type Waiting<Result> = { resolve(result: Result): void };

/** Answers many who wait, in the order of the results. Not waited for: other answers follow when these are given. */
type PacedAnswers<Result> = (waiting: readonly Waiting<Result>[], results: readonly Result[]) => void;

/** Few are answered at once, many by as many at a time as a turn of the loop has room for. */
export function createPacedAnswers<Result>(): PacedAnswers<Result> {
  /** What still has to be given out, one batch after the other. */
  let answering: Promise<void> | null = null;
  /** What a caller does with its answer before it waits again, as the last turns have shown. */
  let msPerCaller = TURN_MS / ANSWERED_AT_ONCE;

  /** What callers do is spread over many microtasks: only the next turn of the loop can tell how long that was. */
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
