import { type Clock, MINUTE_MS } from "../kit/index.ts";

/** Further apart than this, one of two clocks has jumped. `time_is_believed` has the same limit. */
const TOLERANCE_MS = MINUTE_MS;
/** Another time is believed once it has gone on for so long, always close to this machine's clock. */
const STEADY_MS = 10 * MINUTE_MS;

/** The database's time, as a reply contained it, and the last acceptance by an operator. */
type SeenTime = {
  readonly nowMs: number;
  readonly acceptedMs: number | null;
  /** How far the database's clock was ahead of the operator's machine then. */
  readonly acceptedAheadMs: number | null;
};

/**
 * The time that this process expects of the database: the last one it believed, and its own monotonic clock since. One
 * that has just started has only its machine's clock to compare with. Credits expire only at a time that is expected;
 * the statements that may expire them pass it on.
 */
export type ExpectedTime = {
  /** For `expecting` and `time_is_believed`. */
  text(): string;
  observe(seen: SeenTime): void;
  /** True since the last look at the database's clock, if that has jumped. */
  readonly isDoubted: boolean;
};

export function createExpectedTime(clock: Clock): ExpectedTime {
  /** Both starts are the time at which `elapsedMs` was 0. */
  let startMs = clock.nowMs() - clock.elapsedMs();
  let other: { readonly startMs: number; readonly sinceMs: number } | null = null;
  let isFirst = true;

  function believe(seenStartMs: number): void {
    startMs = seenStartMs;
    other = null;
  }

  return {
    text: () => new Date(startMs + clock.elapsedMs()).toISOString(),
    observe({ nowMs, acceptedMs, acceptedAheadMs }) {
      const elapsedMs = clock.elapsedMs();
      const seenStartMs = nowMs - elapsedMs;
      const aheadMs = nowMs - clock.nowMs();
      const isAccepted =
        isClose(nowMs, acceptedMs) ||
        (isFirst && !isClose(0, acceptedAheadMs) && isClose(aheadMs, acceptedAheadMs));
      isFirst = false;
      if (isAccepted || isClose(seenStartMs, startMs)) return believe(seenStartMs);
      if (other === null || !isClose(seenStartMs, other.startMs) || !isClose(aheadMs, 0)) {
        other = { startMs: seenStartMs, sinceMs: elapsedMs };
      } else if (elapsedMs - other.sinceMs >= STEADY_MS) believe(seenStartMs);
    },
    get isDoubted() {
      return other !== null;
    },
  };
}

function isClose(oneMs: number, otherMs: number | null): boolean {
  return otherMs !== null && Math.abs(oneMs - otherMs) <= TOLERANCE_MS;
}
