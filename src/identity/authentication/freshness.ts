import type { Clock } from "../../kit/index.ts";

/** A check of the version that is under way. */
type VersionCheck = {
  readonly startedMs: number;
  readonly startedWallMs: number;
  readonly versionBefore: number;
};

/** What the database answered: its version and its time. */
export type SeenVersion = { readonly version: number; readonly databaseNowMs: number };

/**
 * Decides whether this node's memory of identity may be believed. A change is told by message; and
 * because a message can be lost, nothing is believed unless a check of the version began less than
 * TRUST_MS ago. No I/O: the watch brings messages and answers.
 */
export type Freshness = {
  trusted(): boolean;
  /** The database's clock, estimated. Meaningful only while trusted. */
  databaseNowMs(): number;
  /** What was read at an older version than this must not be remembered. */
  readonly version: number;
  hear(message: string): void;
  begin(): VersionCheck;
  complete(check: VersionCheck, seen: SeenVersion): void;
};

type FreshnessOptions = {
  clock: Clock;
  /** Something about this organization changed. */
  evict(organizationId: string): void;
  /** Something changed and we were not told what. */
  forget(): void;
};

export const TRUST_MS = 900;
/**
 * How long what was answered from memory may be acted upon: together with the age that it may have had, no longer than
 * the second after which a revocation counts everywhere.
 */
export const ANSWER_HOLDS_MS = 1_000 - TRUST_MS;

export function createFreshness({ clock, evict, forget }: FreshnessOptions): Freshness {
  let version = -1;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checkedWallMs = 0;
  let databaseOffsetMs = 0;

  return {
    trusted() {
      // Monotonic time stands still while a machine sleeps, wall time may be set back: both must agree.
      return clock.elapsedMs() - checkedMs < TRUST_MS && Math.abs(clock.nowMs() - checkedWallMs) < TRUST_MS;
    },
    databaseNowMs: () => clock.elapsedMs() + databaseOffsetMs,
    get version() {
      return version;
    },
    hear(message) {
      const [versionText = "", organizationId = ""] = message.split(" ");
      const told = Number(versionText);
      evict(organizationId);
      // Versions rise by one per transaction, so a larger step means that a message never came.
      if (!(told <= version + 1)) forget();
      if (told > version) version = told;
    },
    begin: () => ({ startedMs: clock.elapsedMs(), startedWallMs: clock.nowMs(), versionBefore: version }),
    complete(check, seen) {
      // A message may overtake the answer; only a step back from before the question is a restored database.
      if (seen.version > version || seen.version < check.versionBefore) {
        forget();
        version = seen.version;
      }
      if (check.startedMs < checkedMs) return;
      checkedMs = check.startedMs;
      checkedWallMs = check.startedWallMs;
      databaseOffsetMs = seen.databaseNowMs - (check.startedMs + clock.elapsedMs()) / 2;
    },
  };
}
