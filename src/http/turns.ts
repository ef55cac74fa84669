import { overloaded } from "../kit/index.ts";

/**
 * Whose large body is worked on next. Reading one, compacting its prompt and counting its tokens takes up to a tenth of a
 * second in which nobody else is served, and all of it comes before the ledger can say no. So they go on a few
 * milliseconds at a time, in turns between organizations, and whoever took long pauses before the next.
 */
export type Turns = {
  /** Resolves when it is the owner's turn: what is done from then to the next wait. Rejects where too many wait already. */
  take(owner: string): Promise<void>;
  /** Calls of this owner were dear just now: even those that are not large wait for their turn. */
  mustWait(owner: string): boolean;
  /** How long the work on one of them took before its call began to wait. */
  spent(owner: string, ms: number): void;
  /** A call was refused: more of them will be, and cost their sender nothing. */
  refused(owner: string): void;
};

/** Together, before others are served. */
const SLICE_MS = 8;
const DEAR_MS = 4;
const DEAR_FOR_MS = 10_000;
const REFUSED_FOR_MS = 2_000;
/** What an owner pauses, in times of what its work took: a little, so that calls which are not large get through as well. */
const PAUSES_DEAR = 0.25;
const PAUSES_REFUSED = 9;
const LONGEST_PAUSE_MS = 1_000;
/** Of one owner; beyond them a newcomer had better come back. */
const MAX_WAITING = 1_024;
const MAX_WAITING_REFUSED = 32;

type Owner = {
  readonly waiting: (() => void)[];
  readyMs: number;
  dearUntilMs: number;
  refusedUntilMs: number;
};

export function createTurns(): Turns {
  /** Those who wait or are remembered; whoever had a turn goes to the end. */
  const owners = new Map<string, Owner>();
  let isTurn = false;
  let turnStartedMs = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function ownerOf(id: string): Owner {
    const known = owners.get(id);
    if (known !== undefined) return known;
    const owner: Owner = { waiting: [], readyMs: 0, dearUntilMs: 0, refusedUntilMs: 0 };
    owners.set(id, owner);
    return owner;
  }

  /** The next one's start, or in how many milliseconds there is one; Infinity: nobody waits. */
  function choose(nowMs: number): (() => void) | number {
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const [id, owner] of owners) {
      if (owner.waiting.length === 0) {
        if (Math.max(owner.readyMs, owner.dearUntilMs, owner.refusedUntilMs) <= nowMs) owners.delete(id);
        continue;
      }
      if (owner.readyMs > nowMs) {
        soonestMs = Math.min(soonestMs, owner.readyMs - nowMs);
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

  return {
    take(id) {
      const { waiting, refusedUntilMs } = ownerOf(id);
      const most = refusedUntilMs > performance.now() ? MAX_WAITING_REFUSED : MAX_WAITING;
      if (waiting.length >= most) return Promise.reject(overloaded(`${waiting.length} wait for their turn`));
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (!isTurn) begin();
      return promise;
    },
    mustWait(id) {
      return owners.size > 0 && (owners.get(id)?.dearUntilMs ?? 0) > performance.now();
    },
    spent(id, ms) {
      const nowMs = performance.now();
      const known = owners.get(id);
      const isRefused = known !== undefined && known.refusedUntilMs > nowMs;
      if (ms > DEAR_MS || isRefused) {
        const owner = known ?? ownerOf(id);
        if (ms > DEAR_MS) owner.dearUntilMs = nowMs + DEAR_FOR_MS;
        const pauseMs = Math.min(ms * (isRefused ? PAUSES_REFUSED : PAUSES_DEAR), LONGEST_PAUSE_MS);
        owner.readyMs = Math.max(owner.readyMs, nowMs + pauseMs);
      }
      if (!isTurn || nowMs - turnStartedMs >= SLICE_MS) return;
      const chosen = choose(nowMs);
      if (typeof chosen !== "number") chosen();
    },
    refused(id) {
      ownerOf(id).refusedUntilMs = performance.now() + REFUSED_FOR_MS;
    },
  };
}
