import {
  AppError,
  Backoff,
  type Clock,
  ClosedForGood,
  createDeadlineQueue,
  createDeadlineQueues,
  ZERO_CREDITS,
} from "../../kit/index.ts";
import type { Ledger, Settled, Settlement, SettleTicket } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";

/**
 * The default lifetime of a hold; one that lives longer, because timeouts.call_ms is longer, is left to the sweeper.
 */
const RELEASE_FOR_MS = 16 * 60_000;

export type SureSettler = {
  /**
   * Settles, retrying while the database is unavailable. If it gives up, the outcome is unknown and the hold is
   * released.
   */
  settle(settlement: Settlement): Promise<Settled>;
  /** Releases in the background, retrying for `RELEASE_FOR_MS` unless this process closes its database first. */
  release(settlement: Settlement): void;
};

/** Called when the release finds out what became of a settlement whose outcome was unknown. */
export type OutcomeLearned = (settlement: Settlement, settled: Settled) => void;

/** Settlements that wait for their batch or for a retry; for metrics. */
type WaitingSettlements = { readonly waiting: number };

export function createSureSettler(input: {
  ledger: Ledger;
  log: Log;
  clock: Clock;
  giveUpAfterMs: number;
  learned?: OutcomeLearned;
}): SureSettler & WaitingSettlements {
  const { ledger, log, clock, learned, giveUpAfterMs } = input;
  const queueOf = createDeadlineQueues();
  let retried = 0;

  /** `giveUp` turns the last attempt's error into the error to throw. */
  async function attempt(
    settlement: Settlement,
    forMs: number,
    giveUp: (settlement: Settlement, error: unknown) => unknown,
  ): Promise<Settled> {
    const backoff = new Backoff(forMs, clock);
    let waits = queueOf(forMs);
    let tries = 0;
    for (;;) {
      const ticket: SettleTicket = { isAbandoned: false };
      const answer = Promise.withResolvers<Settled>();
      // A connection that drops all packets must not keep the caller waiting for the database's own, longer timeouts.
      const limit = waits.add(answer, noAnswer);
      try {
        ledger.settle(settlement, ticket).then(answer.resolve, answer.reject);
        const settled = await answer.promise;
        if (tries > 0) retried--;
        return settled;
      } catch (error) {
        // An attempt that still waits for its batch must not be executed beside the retry or the release.
        ticket.isAbandoned = true;
        const pauseMs = error instanceof ClosedForGood ? null : backoff.nextPauseMs();
        if (pauseMs === null) {
          if (tries > 0) retried--;
          throw giveUp(settlement, error);
        }
        if (++tries === 1) retried++;
        if (isPowerOfTwo(tries))
          log.warn("settle_retried", { request_id: settlement.requestId, tries, error: String(error) });
        await Bun.sleep(pauseMs);
        waits = createDeadlineQueue(backoff.leftMs());
      } finally {
        limit.clear();
      }
    }
  }

  /** Null if it could not be released. */
  async function released({ assets: _unpaid, ...settlement }: Settlement): Promise<Settled | null> {
    try {
      const release = { ...settlement, cost: ZERO_CREDITS, measured: null, reply: null };
      return await attempt(release, RELEASE_FOR_MS, sameError);
    } catch (error) {
      log.error("release_gave_up", { request_id: settlement.requestId, error: String(error) });
      return null;
    }
  }

  function releaseAsFailed(settlement: Settlement, error: unknown): AppError {
    void released({ ...settlement, status: "failed", errorCode: "internal_error", reason: "database" }).then(
      (settled) => {
        if (settled !== null) learned?.(settlement, settled);
      },
    );
    return outcomeUnknown(settlement.requestId, error);
  }

  return {
    release: (settlement) => void released(settlement),
    settle: (settlement) => attempt(settlement, giveUpAfterMs, releaseAsFailed),
    get waiting() {
      // A retried settlement also waits for its batch: the sum would count it twice.
      return Math.max(ledger.waiting, retried);
    },
  };
}

/** Logging only these attempts keeps an outage from flooding the log. */
function isPowerOfTwo(tries: number): boolean {
  return (tries & (tries - 1)) === 0;
}

function noAnswer({ reject }: PromiseWithResolvers<Settled>): void {
  reject(new Error("no answer in time"));
}

function sameError(_: Settlement, error: unknown): unknown {
  return error;
}

/** For a call that may have been charged: unknown until the database answers. */
export function outcomeUnknown(requestId: string, cause: unknown): AppError {
  return new AppError(
    "internal_error",
    `The charge could not be recorded: outcome unknown, see request_id ${requestId} in the usage report.`,
    { status: 503, retryAfterSeconds: 5, shouldRetry: false, cause, internal: String(cause) },
  );
}

/** For a call that did not start: the database has no hold for it, or releases it. */
export function notTaken(cause: unknown): AppError {
  return new AppError("internal_error", "The call could not be recorded. Nothing was charged; try again.", {
    status: 503,
    retryAfterSeconds: 1,
    internal: String(cause),
    cause,
  });
}
