import type { Clock } from "../../kit/index.ts";

/** A version check in progress. */
type VersionCheck = {
  readonly startedMs: number;
  readonly startedWallMs: number;
  readonly versionBefore: number;
};

/** The version and time that the database returned. */
export type SeenVersion = { readonly version: number; readonly databaseNowMs: number };

/**
 * Decides whether this node's memory of identity can be trusted. Changes are announced by notification; because a
 * notification can get lost, nothing is trusted unless a version check began less than TRUST_MS ago. Does no I/O: the
 * version watch feeds it notifications and check results.
 */
export type Freshness = {
  trusted(): boolean;
  /** Estimate of the database's clock. Meaningful only while trusted. */
  databaseNowMs(): number;
  /** Anything read at an older version than this must not be remembered. */
  readonly version: number;
  hear(message: string): void;
  begin(): VersionCheck;
  complete(check: VersionCheck, seen: SeenVersion): void;
};

type FreshnessOptions = {
  clock: Clock;
  /** Called when something about this organization has changed. */
  evict(organizationId: string): void;
  /** Called when something has changed, but we missed what. */
  forget(): void;
};

export const TRUST_MS = 900;
/**
 * How long an answer from memory may be acted upon. Together with the age it may already have, this stays within the
 * one second after which a revocation takes effect everywhere.
 */
export const ANSWER_HOLDS_MS = 1_000 - TRUST_MS;

export function createFreshness({ clock, evict, forget }: FreshnessOptions): Freshness {
  let version = -1;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let checkedWallMs = 0;
  let databaseOffsetMs = 0;

  return {
    trusted() {
      // Monotonic time stops while a machine sleeps, wall time may be set back: both must agree.
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
      // Versions rise by one per transaction, so a larger step means that a notification was lost.
      if (!(told <= version + 1)) forget();
      if (told > version) version = told;
    },
    begin: () => ({ startedMs: clock.elapsedMs(), startedWallMs: clock.nowMs(), versionBefore: version }),
    complete(check, seen) {
      // A notification may overtake the check's result. Only a version below the one from before the check means that
      // the database was restored.
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
