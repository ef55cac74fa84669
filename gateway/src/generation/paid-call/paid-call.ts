import type { Admission, Admitter } from "../../admission/index.ts";
import {
  AppError,
  assert,
  type Clock,
  type Credits,
  credits,
  failpoint,
  type RateState,
  type Stopped,
  ZERO_CREDITS,
} from "../../kit/index.ts";
import type { Settled, Settlement } from "../../ledger/index.ts";
import type { Log, Span } from "../../telemetry/index.ts";
import type { Paid } from "../outcome.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { failedSettlement, producedSettlement } from "./call-settlement.ts";
import { failureError, failureReason } from "./failure.ts";
import type { PaidCall } from "./paid-call-input.ts";
import type { Produced } from "./produced.ts";
import { refusalError, replyNotKept } from "./refusal.ts";
import type { RunningCall, RunningCalls } from "./running-calls.ts";
import { notTaken, outcomeUnknown, type SureSettler } from "./settle-surely.ts";
import { namesOf, noteWriteOff } from "./write-off.ts";

/** A call that holds its credits. Exactly one of `succeed`, `fail` and `leave` ends it, once. */
export type StartedCall<Outcome> = {
  readonly requestId: string;
  readonly granted: Credits;
  readonly rate: RateState;
  /** Why it must end: the deadline, the end of a drain, a lost lease, or `stop`; null while it may go on. */
  readonly stopped: Stopped | null;
  /** Called when it is stopped. One listener; a later one replaces it. */
  onStop(listener: (stopped: Stopped) => void): void;
  /** Stops the provider's work before `leave`. */
  stop(): void;
  /** It finished, or we cut it after some content: it is charged, and the reply includes the cost. */
  succeed(produced: Produced<Outcome>): Promise<Paid<Outcome>>;
  /**
   * It produced nothing that counts: charged 0. Resolves with the error to show; rejects only if the settlement
   * fails.
   */
  fail(error: unknown): Promise<AppError>;
  /**
   * Its client disconnected, or its provider stopped with this error because of the content: charged for what was
   * delivered; nobody gets a reply.
   */
  leave(delivered: Produced<Outcome>, error?: AppError): Promise<Charge>;
};

export type Charge = Pick<Paid<unknown>, "creditsCharged" | "balance">;

export type CallStart<Outcome> =
  | { readonly kind: "started"; readonly call: StartedCall<Outcome> }
  | { readonly kind: "replay"; readonly paid: Paid<Outcome> };

/** Admits a call, or throws the refusal. */
export type StartCall = <Outcome>(call: PaidCall) => Promise<CallStart<Outcome>>;

type PaidCallDeps = {
  readonly admitter: Admitter;
  readonly settler: SureSettler;
  readonly running: RunningCalls;
  readonly metrics: CallMetrics;
  readonly log: Log;
  readonly clock: Clock;
};

/** The only place where a call that a client waits for starts and is settled; its callers decide how it ends. */
export function createPaidCall(deps: PaidCallDeps): StartCall {
  return async function start<Outcome>(call: PaidCall): Promise<CallStart<Outcome>> {
    const span = call.span.child("hold");
    const running = deps.running.start(call.timeoutMs);
    let admission: Admission;
    try {
      admission = await deps.admitter.admit(call.admission);
    } catch (error) {
      running.end();
      span.end("internal_error");
      throw admissionLost(deps, call, error);
    }
    span.end();
    if (admission.outcome === "admitted") {
      const { granted, rate } = admission;
      const started = new AdmittedCall<Outcome>({ deps, call, running, granted, rate });
      const passing = failpointAfterHold(started);
      if (passing) await passing;
      return { kind: "started", call: started };
    }
    running.end();
    if (admission.outcome === "replay") return { kind: "replay", paid: replay<Outcome>(admission) };
    deps.metrics.refused(call.admission.endpoint, admission.outcome);
    throw refusalError(admission, call.admission);
  };
}

/** No caller has the call yet that could end it: a failure here must release the hold itself. */
function failpointAfterHold(started: StartedCall<unknown>): void | Promise<void> {
  try {
    const armed = failpoint("after_hold_commit");
    return armed ? armed.catch((error: unknown) => giveBack(started, error)) : undefined;
  } catch (error) {
    return giveBack(started, error);
  }
}

async function giveBack(started: StartedCall<unknown>, error: unknown): Promise<never> {
  throw await started.fail(error);
}

/** The reply was lost, so the hold may exist. Releasing a hold that was never taken leaves no trace. */
function admissionLost(deps: PaidCallDeps, call: PaidCall, error: unknown): AppError {
  if (error instanceof AppError) return error;
  deps.settler.release(failedSettlement(call, { code: "internal_error", reason: "database" }, 0));
  return notTaken(error);
}

type Admitted = {
  readonly deps: PaidCallDeps;
  readonly call: PaidCall;
  readonly running: RunningCall;
  readonly granted: Credits;
  readonly rate: RateState;
};

class AdmittedCall<Outcome> implements StartedCall<Outcome> {
  readonly requestId: string;
  readonly granted: Credits;
  readonly rate: RateState;
  readonly #deps: PaidCallDeps;
  readonly #call: PaidCall;
  readonly #running: RunningCall;
  readonly #startedMs: number;
  readonly #provider: Span;
  #isEnded = false;

  constructor({ deps, call, running, granted, rate }: Admitted) {
    this.requestId = call.admission.requestId;
    this.granted = granted;
    this.rate = rate;
    this.#deps = deps;
    this.#call = call;
    this.#running = running;
    this.#startedMs = deps.clock.elapsedMs();
    this.#provider = call.span.child("provider");
  }

  get stopped(): Stopped | null {
    return this.#running.stopped;
  }

  onStop(listener: (stopped: Stopped) => void): void {
    this.#running.onStop(listener);
  }

  stop(): void {
    this.#running.stop("client_gone");
  }

  async succeed(produced: Produced<Outcome>): Promise<Paid<Outcome>> {
    const call = this.#call;
    const latencyMs = this.#end();
    const settlement = producedSettlement({ call, produced, latencyMs, status: "succeeded" });
    const settled = await this.#settle(settlement);
    const charged = this.#charged(settlement, settled);
    this.#deps.metrics.ended(call.admission.endpoint, "succeeded", charged);
    return {
      requestId: this.requestId,
      replayed: false,
      outcome: produced.outcome,
      creditsCharged: charged,
      balance: { subscription: settled.subscriptionAfter, anytime: settled.anytimeAfter },
      rate: this.rate,
    };
  }

  async fail(error: unknown): Promise<AppError> {
    const failure = failureError(error);
    const latencyMs = this.#end(failure.code);
    this.#deps.metrics.ended(this.#call.admission.endpoint, "failed", ZERO_CREDITS);
    await this.#settle(
      failedSettlement(this.#call, { code: failure.code, reason: failureReason(error) }, latencyMs),
    );
    return failure.withRate(this.rate);
  }

  async leave(delivered: Produced<Outcome>, error?: AppError): Promise<Charge> {
    const call = this.#call;
    const latencyMs = this.#end(error?.code);
    const status = error === undefined ? "cancelled" : "failed";
    const errorCode = error?.code ?? null;
    const settlement = producedSettlement({ call, produced: delivered, latencyMs, status, errorCode });
    const settled = await this.#settle(settlement);
    const creditsCharged = this.#charged(settlement, settled);
    this.#deps.metrics.ended(call.admission.endpoint, status, creditsCharged);
    const balance = { subscription: settled.subscriptionAfter, anytime: settled.anytimeAfter };
    return { creditsCharged, balance };
  }

  /** Marks the end of the provider's work; the call counts as running until its settlement is committed. */
  #end(failure?: AppError["code"]): number {
    assert(!this.#isEnded, "a call ended twice");
    this.#isEnded = true;
    this.#provider.end(failure);
    return this.#deps.clock.elapsedMs() - this.#startedMs;
  }

  async #settle(settlement: Settlement): Promise<Settled> {
    const span = this.#call.span.child("settle");
    try {
      const settled = await this.#deps.settler.settle(settlement);
      const armed = failpoint("after_settle_commit");
      if (armed) await armed;
      span.end();
      return settled;
    } catch (error) {
      span.end("internal_error");
      const failure = error instanceof AppError ? error : outcomeUnknown(this.requestId, error);
      throw failure.withRate(this.rate);
    } finally {
      this.#running.end();
    }
  }

  /** What was really charged; throws if the sweeper had already ended the call. */
  #charged(settlement: Settlement, settled: Settled): Credits {
    const { log, metrics } = this.#deps;
    if (settled.outcome === "late") {
      log.error("late_success", namesOf(settlement));
      metrics.ended(settlement.endpoint, "failed", ZERO_CREDITS);
      throw new AppError(
        "internal_error",
        "This node lost its lease while the call ran. Nothing was charged; try again.",
        {
          status: 503,
          retryAfterSeconds: 1,
          rate: this.rate,
        },
      );
    }
    noteWriteOff(this.#deps, settlement, settled);
    return credits(settled.chargedSubscription + settled.chargedAnytime);
  }
}

function replay<Outcome>(admission: Extract<Admission, { outcome: "replay" }>): Paid<Outcome> {
  if (admission.reply === null) throw replyNotKept(admission);
  return {
    requestId: admission.requestId,
    replayed: true,
    // Only `producedSettlement` writes the replies of these endpoints.
    outcome: JSON.parse(admission.reply) as Outcome,
    creditsCharged: admission.charged,
    balance: { subscription: admission.subscriptionAfter, anytime: admission.anytimeAfter },
    rate: admission.rate,
  };
}
