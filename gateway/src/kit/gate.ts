import { type AppError, overloaded } from "./error.ts";
import { createShares } from "./shares.ts";

export type Gate = {
  /** Resolves to the function that frees the slot; rejects if too many wait already or the wait takes too long. */
  enter(owner?: string): Promise<() => void>;
  readonly waiting: number;
};

type GateOptions = {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Limits for one owner; those of the whole gate if missing. */
  readonly ofOne?: { readonly slots: number; readonly maxWaiting: number };
  /** Lets an owner exceed its share of slots while nobody else waits; only for work that is sure to end soon. */
  readonly lends?: boolean;
  /** Creates the error for callers that are not let in. */
  full?(): AppError;
};

type Waiter = { readonly owner: string; admit(): void };

/**
 * Limits how many run at a time; the queue and the wait are bounded. First come, first served, except that owners at
 * their limit let others pass.
 */
export function createGate(options: GateOptions): Gate {
  const { slots, maxWaiting, maxWaitMs, ofOne, lends = false, full = overloaded } = options;
  const part = ofOne?.slots ?? slots;
  const inside = createShares({ all: slots, ofOne: lends ? slots : part });
  const outside = createShares({ all: maxWaiting, ofOne: ofOne?.maxWaiting ?? maxWaiting });
  const queue = new Set<Waiter>();

  function leaveOnce(owner: string): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside.giveBack(owner, 1);
      letOneIn();
    };
  }

  function letOneIn(): void {
    const waiter = nextWaiter();
    if (waiter !== undefined && inside.take(waiter.owner, 1)) waiter.admit();
  }

  function nextWaiter(): Waiter | undefined {
    let beyondPart: Waiter | undefined;
    for (const waiter of queue) {
      if (inside.of(waiter.owner) < part) return waiter;
      beyondPart ??= waiter;
    }
    return lends ? beyondPart : undefined;
  }

  function wait(owner: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget();
        reject(full());
      }, maxWaitMs);
      const forget = () => {
        clearTimeout(timer);
        queue.delete(waiter);
        outside.giveBack(owner, 1);
      };
      const waiter: Waiter = {
        owner,
        admit() {
          forget();
          resolve(leaveOnce(owner));
        },
      };
      queue.add(waiter);
    });
  }

  return {
    async enter(owner = "") {
      if (inside.take(owner, 1)) return leaveOnce(owner);
      if (!outside.take(owner, 1)) throw full();
      return wait(owner);
    },
    get waiting() {
      return queue.size;
    },
  };
}
