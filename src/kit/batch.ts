import { assert } from "./assert.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createPacedAnswers } from "./paced-answers.ts";
import { createSideline, type Entry } from "./sideline.ts";
import { firstOfAll, firstOwner } from "./take-batch.ts";

/** How items are brought to happen. */
type Way<Item, Result> = {
  /** One round trip for all of them; results in the order of the items. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
  /** After a failed batch each item is run alone; it must recognise what the failed run may have done. */
  rerun(item: Item): Promise<Result>;
};

type BatchOptions<Item, Result> = Way<Item, Result> & {
  /** Told why, before its items are run alone: they may all succeed, and nobody else would hear of it. */
  onFailedBatch?: OnFailedBatch | undefined;
  /** Items in one round trip at most. */
  maxItems: number;
  /** Items waiting at most; one more is refused at once. */
  maxQueue: number;
  /** Made when the queue is full. */
  overflow(): Error;
  /** True where nobody waits for the item any more and it must not happen: it is dropped if it has not left yet. */
  isAbandoned?(item: Item): boolean;
  /** Failures that say something of the item's owner, and nothing of others: somebody else has what all its items need. */
  lockedOut?: {
    ownerOf(this: void, item: Item): string;
    isIt(this: void, error: unknown): boolean;
    /** The way of those who are, until they are no more: one that others do not wait for. Without it all go one way. */
    beside?: Way<Item, Result>;
    /** Each batch is of one owner: that it was locked out is true of all its items, and of nobody else's. */
    takeTurns?: boolean;
  };
  /** Says for how long an owner counts as locked out. */
  clock?: Clock;
};

export type OnFailedBatch = (error: unknown, items: number) => void;

type Batcher<Item, Result> = {
  submit(this: void, item: Item): Promise<Result>;
  /** Waiting items, for metrics. */
  readonly waiting: number;
};

/** When this many items fail one after the other the database is gone, and waiting for each helps nobody. */
const MAX_FAILURES_IN_ROW = 3;
/** Each made all others wait. Whoever has what so many need may have what everybody does. */
const MAX_LOCKED_OUT = 3;

const NOBODY_LOCKED_OUT = { ownerOf: () => "", isIt: () => false, beside: undefined, takeTurns: false };

/**
 * Concurrent calls share a round trip: while one batch is away the next one collects, so there is
 * no timer and a lone call is never delayed. Items keep their order of arrival.
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
  const sideline =
    beside && createSideline({ ownerOf, isLockedOut: isIt, submitBeside: beside.submit, clock });

  async function drain(): Promise<void> {
    running = true;
    while (queue.length > 0) {
      const { batch, rest } = takeTurns
        ? firstOwner(queue, options.maxItems, ({ item }) => ownerOf(item))
        : firstOfAll(queue, options.maxItems);
      queue = rest;
      const wanted = batch.filter(isWanted);
      const shared =
        sideline === null || sideline.isEmpty ? wanted : wanted.filter((entry) => !sideline.takes(entry));
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
      // It would wait as long as the one before it did, and others with it.
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
          sideline?.add(owner);
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
      // The current turn of the loop may bring more: start after it, so that they travel together.
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
