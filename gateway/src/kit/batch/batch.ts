import { assert } from "../assert.ts";
import { type Clock, systemClock } from "../clock.ts";
import { createSlowLane, type Entry } from "./slow-lane.ts";
import { firstOfAll, firstOwner } from "./take-batch.ts";

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
function createPacedAnswers<Result>(): PacedAnswers<Result> {
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
      await new Promise((resolve) => setImmediate(resolve));
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

/** How items are executed. */
type Way<Item, Result> = {
  /** One round trip for all items; returns results in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** Runs one item alone after its batch failed. Must recognise whatever the failed run may already have done. */
  rerun(item: Item): Promise<Result>;
};

type BatchOptions<Item, Result> = Way<Item, Result> & {
  /** Called with the error before the items are rerun alone: if they all succeed, nobody else hears of the failure. */
  onFailedBatch?: OnFailedBatch | undefined;
  /** Most items in one round trip. */
  maxItems: number;
  /** Most items that may wait; one more is rejected at once. */
  maxQueue: number;
  /** Creates the error for a full queue. */
  overflow(): Error;
  /** True if nobody waits for the item any more and it must not run: it is dropped unless it was already sent. */
  isAbandoned?(item: Item): boolean;
  /** Failures that concern only the item's owner: somebody else holds a lock that all of the owner's items need. */
  lockedOut?: {
    ownerOf(this: void, item: Item): string;
    isIt(this: void, error: unknown): boolean;
    /** A separate path for locked-out owners, so that others do not wait for them. Without it all items share one. */
    beside?: Way<Item, Result>;
    /** Each batch holds items of one owner only, so a lock-out applies to all of its items and to no others. */
    takeTurns?: boolean;
  };
  /** Measures how long an owner counts as locked out. */
  clock?: Clock;
};

export type OnFailedBatch = (error: unknown, items: number) => void;

type Batcher<Item, Result> = {
  submit(this: void, item: Item): Promise<Result>;
  readonly waiting: number;
};

/** After this many failures in a row the database is gone, and waiting for the remaining items helps nobody. */
const MAX_FAILURES_IN_ROW = 3;
/** Each locked-out owner made all others wait. If this many are, the same lock may block everybody. */
const MAX_LOCKED_OUT = 3;

const NOBODY_LOCKED_OUT = { ownerOf: () => "", isIt: () => false, beside: undefined, takeTurns: false };

/**
 * Concurrent calls share a round trip: while one batch is in flight the next one collects, so there is no timer and a
 * single call is never delayed. Items keep their order of arrival.
 */
export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): Batcher<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  let running = false;
  const answer = createPacedAnswers<Result>();
  const { ownerOf, isIt, beside: way, takeTurns } = options.lockedOut ?? NOBODY_LOCKED_OUT;
  const beside = way
    ? createBatcher({ ...options, ...way, lockedOut: { ownerOf, isIt, takeTurns: true } })
    : null;
  const { clock = systemClock } = options;
  const slowLane =
    beside && createSlowLane({ ownerOf, isLockedOut: isIt, submitBeside: beside.submit, clock });

  async function drain(): Promise<void> {
    running = true;
    while (queue.length > 0) {
      const { batch, rest } = takeTurns
        ? firstOwner(queue, options.maxItems, ({ item }) => ownerOf(item))
        : firstOfAll(queue, options.maxItems);
      queue = rest;
      const wanted = batch.filter(isWanted);
      const shared =
        slowLane === null || slowLane.isEmpty ? wanted : wanted.filter((entry) => !slowLane.takes(entry));
      if (shared.length > 0) await runBatch(shared);
    }
    running = false;
  }

  function isWanted(entry: Entry<Item, Result>): boolean {
    if (options.isAbandoned?.(entry.item) !== true) return true;
    entry.reject(new Error("nobody waits for it any more"));
    return false;
  }

  async function runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.run(batch.map((entry) => entry.item));
      assert(results.length === batch.length, "a batch must answer every item");
      answer(batch, results);
    } catch (error) {
      options.onFailedBatch?.(error, batch.length);
      if (takeTurns && isIt(error)) for (const entry of batch) entry.reject(error);
      else await rerunAlone(batch);
    }
  }

  async function rerunAlone(batch: Entry<Item, Result>[]): Promise<void> {
    const lockedOut = new Map<string, unknown>();
    let failuresInRow = 0;
    let lastError: unknown;
    for (const entry of batch) {
      if (!isWanted(entry)) continue;
      const owner = ownerOf(entry.item);
      if (failuresInRow >= MAX_FAILURES_IN_ROW || lockedOut.size >= MAX_LOCKED_OUT) {
        entry.reject(lastError);
        continue;
      }
      // It would wait as long as the owner's previous item did, and hold up the others.
      if (lockedOut.has(owner)) {
        entry.reject(lockedOut.get(owner));
        continue;
      }
      try {
        entry.resolve(await options.rerun(entry.item));
        failuresInRow = 0;
      } catch (error) {
        if (isIt(error)) {
          lockedOut.set(owner, error);
          slowLane?.add(owner);
        } else failuresInRow++;
        lastError = error;
        entry.reject(error);
      }
    }
  }

  return {
    submit(item) {
      if (queue.length >= options.maxQueue) return Promise.reject(options.overflow());
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ item, resolve, reject });
      // More items may come in the current turn of the event loop: start after it, so that they travel together.
      if (!running) {
        running = true;
        queueMicrotask(() => void drain());
      }
      return promise;
    },
    get waiting() {
      return queue.length + (beside?.waiting ?? 0);
    },
  };
}
