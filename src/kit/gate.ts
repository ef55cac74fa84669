import { type AppError, overloaded } from "./error.ts";
import { createShares } from "./shares.ts";

export type Gate = {
  /** Resolves to the function that leaves; rejects when too many wait already or the wait is too long. */
  enter(owner?: string): Promise<() => void>;
  readonly waiting: number;
};

type GateOptions = {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** What one owner may have of both; all of it where nobody says. */
  readonly ofOne?: { readonly slots: number; readonly maxWaiting: number };
  /** More than its part of the places is an owner's while nobody else waits: for work that surely ends soon. */
  readonly lends?: boolean;
  /** Made for whoever is not let in. */
  full?(): AppError;
};

type Waiter = { readonly owner: string; admit(): void };

/**
 * Lets a few in at a time; the queue and the wait are bounded. In order of arrival, but whoever has its part of the
 * places lets others pass.
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
