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
  /**
   * A call whose work took so long was refused: it cost its sender nothing, and more like it may come. `forMs`: it was told
   * to come back after as long, and what comes then may well be served.
   */
  refused(owner: string, ms: number, forMs?: number): void;
};

/** Together, before others are served. */
const SLICE_MS = 8;
const DEAR_MS = 4;
const DEAR_FOR_MS = 10_000;
/** What was done and refused counts half after as long. */
const HALF_LIFE_MS = 4_000;
/** Of an owner's work as much may be for nothing: callers make mistakes, and many may share one organization. */
const SHARE_UNHEEDED = 0.1;
/** From here on, and after some refusals, few of its calls may wait. */
const SHARE_OF_MOST = 0.5;
const SOME_REFUSALS = 3;
const REFUSED_FOR_MS = 10_000;
/** What an owner pauses, in times of what its work took: a little, so that calls which are not large get through as well. */
const PAUSES_DEAR = 0.25;
const PAUSES_REFUSED = 9;
const LONGEST_PAUSE_MS = 1_000;
/** Of one owner; beyond them a newcomer had better come back. */
const MAX_WAITING = 1_024;
const MAX_WAITING_REFUSED = 32;

/** As it counted at `talliedMs`: work that was for nothing, and how many calls that was. Nothing is known of it later. */
type ForNothing = { ms: number; calls: number; untilMs: number };

type Owner = {
  readonly waiting: (() => void)[];
  readyMs: number;
  dearUntilMs: number;
  /** All work since it was refused, as it counted at `talliedMs`. */
  workMs: number;
  readonly wrong: ForNothing;
  /** Before the time that it was told. */
  readonly early: ForNothing;
  talliedMs: number;
};

/** Brings what is remembered of an owner to this moment. */
function fade(owner: Owner, nowMs: number): void {
  const left = 0.5 ** ((nowMs - owner.talliedMs) / HALF_LIFE_MS);
  owner.workMs *= left;
  for (const part of [owner.wrong, owner.early]) {
    const leftOfPart = nowMs < part.untilMs ? left : 0;
    part.ms *= leftOfPart;
    part.calls *= leftOfPart;
  }
  owner.talliedMs = nowMs;
}

const refusals = ({ wrong, early }: Owner) => wrong.calls + early.calls;

/** How much of an owner's work was for nothing; 0 where that is little. */
function refusedShare({ workMs, wrong, early }: Owner): number {
  const refusedMs = wrong.ms + early.ms;
  if (refusedMs === 0) return 0;
  const share = refusedMs / Math.max(workMs, refusedMs);
  return share < SHARE_UNHEEDED ? 0 : share;
}

function mostWaiting(owner: Owner, nowMs: number): number {
  if (refusals(owner) === 0) return MAX_WAITING;
  fade(owner, nowMs);
  const isMost = refusals(owner) >= SOME_REFUSALS && refusedShare(owner) >= SHARE_OF_MOST;
  return isMost ? MAX_WAITING_REFUSED : MAX_WAITING;
}

export function createTurns(): Turns {
  /** Those who wait or are remembered; whoever had a turn goes to the end. */
  const owners = new Map<string, Owner>();
  let isTurn = false;
  let turnStartedMs = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  function ownerOf(id: string): Owner {
    const known = owners.get(id);
    if (known !== undefined) return known;
    const owner: Owner = {
      waiting: [],
      readyMs: 0,
      dearUntilMs: 0,
      workMs: 0,
      wrong: { ms: 0, calls: 0, untilMs: 0 },
      early: { ms: 0, calls: 0, untilMs: 0 },
      talliedMs: 0,
    };
    owners.set(id, owner);
    return owner;
  }

  /** The next one's start, or in how many milliseconds there is one; Infinity: nobody waits. */
  function choose(nowMs: number): (() => void) | number {
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const [id, owner] of owners) {
      if (owner.waiting.length === 0) {
        const { readyMs, dearUntilMs, wrong, early } = owner;
        if (Math.max(readyMs, dearUntilMs, wrong.untilMs, early.untilMs) <= nowMs) owners.delete(id);
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
      const owner = ownerOf(id);
      const { waiting } = owner;
      const most = mostWaiting(owner, performance.now());
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
      const isRefused = known !== undefined && refusals(known) > 0;
      if (ms > DEAR_MS || isRefused) {
        const owner = known ?? ownerOf(id);
        if (ms > DEAR_MS) owner.dearUntilMs = nowMs + DEAR_FOR_MS;
        if (isRefused) {
          fade(owner, nowMs);
          owner.workMs += ms;
        }
        const times = Math.max(ms > DEAR_MS ? PAUSES_DEAR : 0, PAUSES_REFUSED * refusedShare(owner));
        owner.readyMs = Math.max(owner.readyMs, nowMs + Math.min(ms * times, LONGEST_PAUSE_MS));
      }
      if (!isTurn || nowMs - turnStartedMs >= SLICE_MS) return;
      const chosen = choose(nowMs);
      if (typeof chosen !== "number") chosen();
    },
    refused(id, ms, forMs) {
      const nowMs = performance.now();
      const owner = ownerOf(id);
      fade(owner, nowMs);
      const part = forMs === undefined ? owner.wrong : owner.early;
      part.ms += ms;
      part.calls += 1;
      part.untilMs = nowMs + Math.min(forMs ?? REFUSED_FOR_MS, REFUSED_FOR_MS);
    },
  };
}
