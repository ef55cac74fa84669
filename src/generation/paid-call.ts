import type { Admission, Admitter } from "../admission/index.ts";
import {
  AppError,
  assert,
  type Clock,
  type Credits,
  credits,
  failpoint,
  type RateState,
  ZERO_CREDITS,
} from "../kit/index.ts";
import type { Settled } from "../ledger/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { failedSettlement, producedSettlement } from "./call-settlement.ts";
import { failureError } from "./failure.ts";
import type { Paid } from "./outcome.ts";
import type { PaidCall, Produced } from "./produced.ts";
import { refusalError, replyNotKept } from "./refusal.ts";
import type { RunningCall, RunningCalls } from "./running-calls.ts";
import { outcomeUnknown, type SureSettler } from "./settle-surely.ts";

/** A call that holds its credits. Exactly one of `succeed`, `fail` and `leave` ends it, once. */
export type StartedCall<Outcome> = {
  readonly requestId: string;
  readonly granted: Credits;
  readonly rate: RateState;
  /** Fires at the deadline, at the end of a drain and when the process loses its lease. */
  readonly signal: AbortSignal;
  /** Stops the provider's work before `leave`. */
  stop(): void;
  /** It finished, or we cut it short after content: charged, and told what it cost. */
  succeed(produced: Produced<Outcome>): Promise<Paid<Outcome>>;
  /** It produced nothing that counts: charged 0. Gives the error to show; throws only if that cannot be settled. */
  fail(error: unknown): Promise<AppError>;
  /** Its client left: charged for what was delivered; nobody is told. */
  leave(delivered: Produced<Outcome>): Promise<void>;
};

export type CallStart<Outcome> =
  | { readonly kind: "started"; readonly call: StartedCall<Outcome> }
  | { readonly kind: "replay"; readonly paid: Paid<Outcome> };

/** Admits a call, or throws the refusal. */
export type StartCall = <Outcome>(call: PaidCall) => Promise<CallStart<Outcome>>;

export type PaidCallDeps = {
  readonly admitter: Admitter;
  readonly settler: SureSettler;
  readonly running: RunningCalls;
  readonly metrics: CallMetrics;
  readonly log: Log;
  readonly clock: Clock;
};

/** The one place where a paid call begins and where its ending is decided. */
export function createPaidCall(deps: PaidCallDeps): StartCall {
  return async function start<Outcome>(call: PaidCall): Promise<CallStart<Outcome>> {
    const running = deps.running.start(call.timeoutMs);
    try {
      const admission = await admit(deps, call);
      if (admission.outcome === "admitted") {
        const { granted, rate } = admission;
        const started = startedCall<Outcome>({ deps, call, running, granted, rate });
        await passHold(started);
        return { kind: "started", call: started };
      }
      running.end();
      if (admission.outcome === "replay") return { kind: "replay", paid: replay<Outcome>(admission) };
      deps.metrics.refused(call.admission.endpoint, admission.outcome);
      throw refusalError(admission, call.admission.minimum);
    } catch (error) {
      running.end();
      throw error;
    }
  };
}

/** Nobody has the call yet who could end it: a failure here must give the hold back itself. */
async function passHold(started: StartedCall<unknown>): Promise<void> {
  try {
    await failpoint("after_hold_commit");
  } catch (error) {
    throw await started.fail(error);
  }
}

async function admit(deps: PaidCallDeps, call: PaidCall): Promise<Admission> {
  const span = call.span.child("hold");
  try {
    const admission = await deps.admitter.admit(call.admission);
    span.end();
    return admission;
  } catch (error) {
    span.end("internal_error");
    if (error instanceof AppError) throw error;
    // The answer was lost; the hold may stand. Releasing what was never held leaves no trace.
    deps.settler.release(failedSettlement(call, "internal_error", 0));
    throw new AppError(
      "internal_error",
      "The database could not be reached. Nothing was charged; try again.",
      {
        status: 503,
        retryAfterSeconds: 1,
        internal: String(error),
        cause: error,
      },
    );
  }
}

function startedCall<Outcome>(input: {
  deps: PaidCallDeps;
  call: PaidCall;
  running: RunningCall;
  granted: Credits;
  rate: RateState;
}): StartedCall<Outcome> {
  const { deps, call, running } = input;
  const { requestId, endpoint } = call.admission;
  const startedMs = deps.clock.elapsedMs();
  const provider = call.span.child("provider");
  let ended = false;

  /** Marks the end of the provider's work; the call itself runs until its settlement is committed. */
  function end(failure?: AppError["code"]): number {
    assert(!ended, `call ${requestId} ended twice`);
    ended = true;
    provider.end(failure);
    return deps.clock.elapsedMs() - startedMs;
  }

  async function settle(settlement: Parameters<SureSettler["settle"]>[0]): Promise<Settled> {
    const span = call.span.child("settle");
    try {
      const settled = await deps.settler.settle(settlement);
      await failpoint("after_settle_commit");
      span.end();
      return settled;
    } catch (error) {
      span.end("internal_error");
      throw error instanceof AppError ? error : outcomeUnknown(requestId, error);
    } finally {
      running.end();
    }
  }

  return {
    requestId,
    granted: input.granted,
    rate: input.rate,
    signal: running.signal,
    stop: () => running.stop("client_gone"),
    async succeed(produced) {
      const latencyMs = end();
      const settled = await settle(producedSettlement({ call, produced, latencyMs, status: "succeeded" }));
      const charged = chargedBy(deps, call, settled);
      deps.metrics.ended(endpoint, "succeeded", charged);
      return {
        requestId,
        replayed: false,
        outcome: produced.outcome,
        creditsCharged: charged,
        balance: { subscription: settled.subscriptionAfter, anytime: settled.anytimeAfter },
        rate: input.rate,
      };
    },
    async fail(error) {
      const failure = failureError(error);
      const latencyMs = end(failure.code);
      deps.metrics.ended(endpoint, "failed", ZERO_CREDITS);
      await settle(failedSettlement(call, failure.code, latencyMs));
      return failure;
    },
    async leave(delivered) {
      const latencyMs = end();
      const settled = await settle(
        producedSettlement({ call, produced: delivered, latencyMs, status: "cancelled" }),
      );
      deps.metrics.ended(endpoint, "cancelled", chargedBy(deps, call, settled));
    },
  };
}

/** What was really charged; throws where the sweeper had ended the call before. */
function chargedBy(deps: PaidCallDeps, call: PaidCall, settled: Settled): Credits {
  const { requestId, endpoint } = call.admission;
  if (settled.outcome === "late") {
    deps.log.error("late_success", { request_id: requestId });
    deps.metrics.ended(endpoint, "failed", ZERO_CREDITS);
    throw new AppError(
      "internal_error",
      "This node lost its lease while the call ran. Nothing was charged; try again.",
      {
        status: 503,
        retryAfterSeconds: 1,
      },
    );
  }
  if (settled.writtenOff > 0) {
    deps.log.error("credits_written_off", {
      request_id: requestId,
      credits: settled.writtenOff,
      outcome: settled.outcome,
    });
    deps.metrics.writtenOff(settled.writtenOff);
  }
  return credits(settled.chargedSubscription + settled.chargedAnytime);
}

function replay<Outcome>(admission: Extract<Admission, { outcome: "replay" }>): Paid<Outcome> {
  if (admission.reply === null) throw replyNotKept(admission.requestId);
  return {
    requestId: admission.requestId,
    replayed: true,
    // Written by `producedSettlement`; nothing else writes replies.
    outcome: JSON.parse(admission.reply) as Outcome,
    creditsCharged: admission.charged,
    balance: { subscription: admission.subscriptionAfter, anytime: admission.anytimeAfter },
    rate: null,
  };
}
