import { type Clock, MINUTE_MS } from "../kit/index.ts";

/** Further apart than this, one of two clocks has jumped. `time_is_believed` has the same limit. */
const TOLERANCE_MS = MINUTE_MS;
/** Another time is believed once it has gone on for so long, always close to this machine's clock. */
const STEADY_MS = 10 * MINUTE_MS;

/** The database's time, as a reply contained it, and what else is known of its clock. */
export type SeenTime = {
  readonly nowMs: number;
  readonly acceptedMs: number | null;
  /** How far the database's clock was ahead of the operator's machine then. */
  readonly acceptedAheadMs: number | null;
  /** The last time that any process believed. */
  readonly believedMs: number | null;
  /** False if a process that believed it is still running. */
  readonly isUnused: boolean;
};

/**
 * The time that this process expects of the database: the last one it believed, and its own monotonic clock since. One
 * that has just started compares with its machine's clock, and with the last time that any process believed: that of a
 * single machine jumps for both. Credits expire only at a time that is expected; the statements that may expire them
 * pass it on.
 */
export type ExpectedTime = {
  /** For `expecting` and `time_is_believed`. */
  text(): string;
  /** The same for work that a jump must stop, but not a time during which nothing ran. */
  textAfterPause(): string;
  observe(seen: SeenTime): void;
  /** True since the last look at the database's clock, if that has jumped. */
  readonly isDoubted: boolean;
  /** The last time before this process that any believed, if it is doubted only because nothing ran since. */
  readonly unusedSince: Date | null;
};

export function createExpectedTime(clock: Clock): ExpectedTime {
  /** Both starts are the time at which `elapsedMs` was 0. */
  let startMs = clock.nowMs() - clock.elapsedMs();
  let other: { startMs: number; sinceMs: number; unusedSince: Date | null } | null = null;
  let isFirst = true;

  function believe(seenStartMs: number): void {
    startMs = seenStartMs;
    other = null;
  }
  const textOf = (ms: number) => new Date(ms + clock.elapsedMs()).toISOString();

  return {
    text: () => textOf(startMs),
    textAfterPause: () => textOf(other?.unusedSince ? other.startMs : startMs),
    observe({ nowMs, acceptedMs, acceptedAheadMs, believedMs, isUnused }) {
      const elapsedMs = clock.elapsedMs();
      const seenStartMs = nowMs - elapsedMs;
      const aheadMs = nowMs - clock.nowMs();
      const isAccepted =
        isClose(nowMs, acceptedMs) ||
        (isFirst && !isClose(0, acceptedAheadMs) && isClose(aheadMs, acceptedAheadMs));
      const isLater = isFirst && believedMs !== null && nowMs - believedMs > TOLERANCE_MS;
      if (isLater) startMs = believedMs - elapsedMs;
      isFirst = false;
      if (isAccepted || isClose(seenStartMs, startMs)) return believe(seenStartMs);
      if (other === null || !isClose(seenStartMs, other.startMs) || !isClose(aheadMs, 0)) {
        const unusedSince = isLater && isUnused && isClose(aheadMs, 0) ? new Date(believedMs) : null;
        other = { startMs: seenStartMs, sinceMs: elapsedMs, unusedSince };
      } else if (elapsedMs - other.sinceMs >= STEADY_MS) believe(seenStartMs);
    },
    get isDoubted() {
      return other !== null;
    },
    get unusedSince() {
      return other?.unusedSince ?? null;
    },
  };
}

function isClose(oneMs: number, otherMs: number | null): boolean {
  return otherMs !== null && Math.abs(oneMs - otherMs) <= TOLERANCE_MS;
}
