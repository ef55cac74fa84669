import { overloaded } from "../../kit/index.ts";
import { OwnerRecord } from "./owner-record.ts";

/**
 * Decides whose large body is processed next. Reading one takes up to a tenth of a second, in which nobody
 * else is served; compacting its prompt and counting its tokens may take seconds, in several turns; and all of it comes
 * before the ledger can refuse the call. So organizations take turns of a few milliseconds, and one that took long
 * pauses before its next turn.
 */
export type FairQueue = {
  /** Resolves when it is the owner's turn, which lasts until its code next waits. Rejects if too many already wait. */
  take(owner: string): Promise<void>;
  /**
   * Like `spent`, for a call that is not done: resolves when it may go on, before the owner's other calls. Never
   * rejects, since each of these calls had a turn.
   */
  again(owner: string, ms: number): Promise<void>;
  /** True if calls of this owner were recently expensive: then even those that are not large wait for their turn. */
  mustWait(owner: string): boolean;
  /** Reports how long the work on a call took before it began to wait. Starts the next turn if the slice allows. */
  spent(owner: string, ms: number): void;
  /**
   * Reports a call that was refused after work of this length: it cost its sender nothing, and more like it may come.
   * `forMs` is the time after which the client was told to retry; a call that comes then may well be served.
   */
  refused(owner: string, ms: number, forMs?: number): void;
};

/** How long turns may follow each other before others are served. */
const SLICE_MS = 8;

type Owner = { readonly waiting: (() => void)[]; readonly record: OwnerRecord };

export function createFairQueue(): FairQueue {
  /** Owners that wait or are remembered, in the order of their turns: after its turn an owner goes to the end. */
  const owners = new Map<string, Owner>();
  let isTurn = false;
  let turnStartedMs = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function ownerOf(id: string): Owner {
    return owners.getOrInsertComputed(id, () => ({ waiting: [], record: new OwnerRecord() }));
  }

  /** The start function of the next turn, or the milliseconds until there is one; Infinity if nobody waits. */
  function choose(nowMs: number): (() => void) | number {
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const [id, owner] of owners) {
      if (owner.waiting.length === 0) {
        if (owner.record.isOver(nowMs)) owners.delete(id);
        continue;
      }
      const { readyMs } = owner.record;
      if (readyMs > nowMs) {
        soonestMs = Math.min(soonestMs, readyMs - nowMs);
        continue;
      }
      owners.delete(id);
      owners.set(id, owner);
      return owner.waiting.shift() as () => void;
    }
    return soonestMs;
  }

  function begin(): void {
    clearTimeout(pause);
    const nowMs = performance.now();
    const chosen = choose(nowMs);
    if (typeof chosen === "number") {
      if (chosen < Number.POSITIVE_INFINITY) pause = setTimeout(begin, chosen);
      return;
    }
    isTurn = true;
    turnStartedMs = nowMs;
    setImmediate(end);
    chosen();
  }

  function end(): void {
    isTurn = false;
    begin();
  }

  function spent(id: string, ms: number): void {
    const nowMs = performance.now();
    const known = OwnerRecord.isExpensive(ms) ? ownerOf(id) : owners.get(id);
    known?.record.spent(ms, nowMs);
    if (!isTurn || nowMs - turnStartedMs >= SLICE_MS) return;
    const chosen = choose(nowMs);
    if (typeof chosen !== "number") chosen();
  }

  return {
    take(id) {
      const { waiting, record } = ownerOf(id);
      const most = record.mostWaiting(performance.now());
      if (waiting.length >= most) return Promise.reject(overloaded(`${waiting.length} wait for their turn`));
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (!isTurn) begin();
      return promise;
    },
    spent,
    again(id, ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ownerOf(id).waiting.unshift(resolve);
      spent(id, ms);
      if (!isTurn) begin();
      return promise;
    },
    mustWait(id) {
      return owners.size > 0 && (owners.get(id)?.record.expensiveUntilMs ?? 0) > performance.now();
    },
    refused(id, ms, forMs) {
      ownerOf(id).record.refused(ms, performance.now(), forMs);
    },
  };
}
