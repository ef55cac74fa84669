import { type AppError, overloaded } from "./error.ts";
import { createShares } from "./shares.ts";

export type Gate = {
  /** Resolves to the function that leaves; rejects when too many wait already or the wait is too long. */
  enter(owner?: string): Promise<() => void>;
  readonly waiting: number;
};

export type GateOptions = {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** What one owner may have of both; all of it where nobody says. */
  readonly ofOne?: { readonly slots: number; readonly maxWaiting: number };
  /** Made for whoever is not let in. */
  full?(): AppError;
};

type Waiter = { readonly owner: string; admit(): void };

/**
 * Lets a few in at a time; the queue and the wait are bounded. In order of arrival, but whoever has its part of the
 * places lets others pass.
 */
export function createGate({ slots, maxWaiting, maxWaitMs, ofOne, full = overloaded }: GateOptions): Gate {
  const inside = createShares({ all: slots, ofOne: ofOne?.slots ?? slots });
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
    for (const waiter of queue) {
      if (!inside.take(waiter.owner, 1)) continue;
      waiter.admit();
      return;
    }
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
