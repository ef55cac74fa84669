import type { Admission, AdmissionCall, Admitter } from "../admission/index.ts";
import {
  AppError,
  type Clock,
  type Credits,
  credits,
  failpoint,
  raceSignal,
  ZERO_CREDITS,
} from "../kit/index.ts";
import type { Settled, Settlement } from "../ledger/index.ts";
import type { Log, Span } from "../telemetry/index.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { failureError } from "./failure.ts";
import type { Paid } from "./outcome.ts";
import { refusalError, replyNotKept } from "./refusal.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { SureSettler } from "./settle-surely.ts";

/** Larger replies are not kept; a repeat is told so. */
const MAX_KEPT_REPLY_CHARACTERS = 1024 * 1024;
/** A hold outlives its call's deadline by this much, so that a slow settlement still finds it. */
export const HOLD_GRACE_MS = 60_000;

/** What a provider made of a call, and what that costs. */
export type Produced<Outcome> = {
  readonly outcome: Outcome;
  readonly cost: Credits;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly target: string;
};

export type PaidCall<Outcome> = {
  readonly admission: AdmissionCall;
  readonly priceRuleId: string;
  readonly timeoutMs: number;
  /** The request's span; its steps become children. */
  readonly span: Span;
  /** The provider's work, paid for by what was granted. */
  produce(granted: Credits, signal: AbortSignal): Promise<Produced<Outcome>>;
};

export type PaidCallDeps = {
  readonly admitter: Admitter;
  readonly settler: SureSettler;
  readonly running: RunningCalls;
  readonly metrics: CallMetrics;
  readonly log: Log;
  readonly clock: Clock;
};

export type PayFor = <Outcome>(call: PaidCall<Outcome>) => Promise<Paid<Outcome>>;

/**
 * The one order in which a paid call happens: admit, produce, settle; and the one place where its ending
 * is decided. A call that started finishes and is charged even if its caller has left.
 */
export function createPaidCall(deps: PaidCallDeps): PayFor {
  return async function payFor<Outcome>(call: PaidCall<Outcome>): Promise<Paid<Outcome>> {
    const running = deps.running.start(call.timeoutMs);
    const startedMs = deps.clock.elapsedMs();
    try {
      const admission = await admit(deps, call);
      if (admission.outcome === "replay") return replay<Outcome>(admission);
      if (admission.outcome !== "admitted") {
        deps.metrics.refused(call.admission.endpoint, admission.outcome);
        throw refusalError(admission, call.admission.minimum);
      }
      await failpoint("after_hold_commit");
      const produced = await produceOrRelease({
        deps,
        call,
        granted: admission.granted,
        signal: running.signal,
        startedMs,
      });
      const settled = await settle(deps, call, success(call, produced, deps.clock.elapsedMs() - startedMs));
      return paid({ deps, call, produced, settled, rate: admission.rate });
    } finally {
      running.end();
    }
  };
}

async function admit<Outcome>(deps: PaidCallDeps, call: PaidCall<Outcome>): Promise<Admission> {
  const span = call.span.child("hold");
  try {
    const admission = await deps.admitter.admit(call.admission);
    span.end();
    return admission;
  } catch (error) {
    span.end("internal_error");
    if (error instanceof AppError) throw error;
    // The answer was lost; the hold may stand. Releasing what was never held leaves no trace.
    deps.settler.release(failed(call, "internal_error", 0));
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

async function produceOrRelease<Outcome>(input: {
  deps: PaidCallDeps;
  call: PaidCall<Outcome>;
  granted: Credits;
  signal: AbortSignal;
  startedMs: number;
}): Promise<Produced<Outcome>> {
  const { deps, call, signal } = input;
  const span = call.span.child("provider");
  try {
    const produced = await raceSignal(call.produce(input.granted, signal), signal);
    span.end();
    return produced;
  } catch (error) {
    const failure = failureError(error);
    span.end(failure.code);
    const latencyMs = deps.clock.elapsedMs() - input.startedMs;
    await settle(deps, call, failed(call, failure.code, latencyMs));
    deps.metrics.ended(call.admission.endpoint, "failed", ZERO_CREDITS);
    throw failure;
  }
}

async function settle<Outcome>(
  deps: PaidCallDeps,
  call: PaidCall<Outcome>,
  settlement: Settlement,
): Promise<Settled> {
  const span = call.span.child("settle");
  try {
    const settled = await deps.settler.settle(settlement);
    await failpoint("after_settle_commit");
    span.end();
    return settled;
  } catch (error) {
    span.end("internal_error");
    throw error;
  }
}

function paid<Outcome>(input: {
  deps: PaidCallDeps;
  call: PaidCall<Outcome>;
  produced: Produced<Outcome>;
  settled: Settled;
  rate: Paid<Outcome>["rate"];
}): Paid<Outcome> {
  const { deps, call, settled } = input;
  const requestId = call.admission.requestId;
  if (settled.outcome === "late") {
    deps.log.error("late_success", { request_id: requestId, cost: input.produced.cost });
    deps.metrics.ended(call.admission.endpoint, "failed", ZERO_CREDITS);
    throw new AppError(
      "internal_error",
      "This node lost its lease while the call ran. Nothing was charged; try again.",
      {
        status: 503,
        retryAfterSeconds: 1,
      },
    );
  }
  const charged = credits(settled.chargedSubscription + settled.chargedAnytime);
  if (settled.writtenOff > 0) {
    deps.log.error("credits_written_off", {
      request_id: requestId,
      credits: settled.writtenOff,
      outcome: settled.outcome,
    });
    deps.metrics.writtenOff(settled.writtenOff);
  }
  deps.metrics.ended(call.admission.endpoint, "succeeded", charged);
  return {
    requestId,
    replayed: false,
    outcome: input.produced.outcome,
    creditsCharged: charged,
    balance: { subscription: settled.subscriptionAfter, anytime: settled.anytimeAfter },
    rate: input.rate,
  };
}

function replay<Outcome>(admission: Extract<Admission, { outcome: "replay" }>): Paid<Outcome> {
  if (admission.reply === null) throw replyNotKept(admission.requestId);
  return {
    requestId: admission.requestId,
    replayed: true,
    // Written by this same function's sibling below; nothing else writes replies.
    outcome: JSON.parse(admission.reply) as Outcome,
    creditsCharged: admission.charged,
    balance: { subscription: admission.subscriptionAfter, anytime: admission.anytimeAfter },
    rate: null,
  };
}

function keptReply(outcome: unknown): string | null {
  const text = JSON.stringify(outcome);
  return text.length <= MAX_KEPT_REPLY_CHARACTERS ? text : null;
}

function success<Outcome>(
  call: PaidCall<Outcome>,
  produced: Produced<Outcome>,
  latencyMs: number,
): Settlement {
  return {
    ...call.admission,
    cost: produced.cost,
    status: "succeeded",
    inputTokens: produced.inputTokens,
    outputTokens: produced.outputTokens,
    tokensSaved: produced.tokensSaved,
    latencyMs: Math.round(latencyMs),
    errorCode: null,
    priceRuleId: call.priceRuleId,
    target: produced.target,
    reply: call.admission.idempotency === null ? null : keptReply(produced.outcome),
  };
}

function failed<Outcome>(
  call: PaidCall<Outcome>,
  errorCode: AppError["code"],
  latencyMs: number,
): Settlement {
  return {
    ...call.admission,
    cost: ZERO_CREDITS,
    status: "failed",
    inputTokens: 0,
    outputTokens: 0,
    tokensSaved: 0,
    latencyMs: Math.round(latencyMs),
    errorCode,
    priceRuleId: call.priceRuleId,
    target: null,
    reply: null,
  };
}
