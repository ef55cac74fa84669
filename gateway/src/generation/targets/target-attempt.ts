import type { Target, TextModel } from "../../catalog/index.ts";
import {
  brokenAnswer,
  type CallContext,
  type ChatRequest,
  ProviderFailure,
  type Registry,
  type TextProvider,
} from "../../contract/index.ts";
import { failpoint, Stopper } from "../../kit/index.ts";
import type { Breaker, BreakerPermit } from "../../outbound/index.ts";

export type TargetsInput = {
  readonly registry: Registry;
  readonly breaker: Breaker;
  readonly model: TextModel;
  readonly request: ChatRequest;
  readonly requestId: string;
  readonly orgId: string;
};

/** The permission to call a target once. */
type TargetPass = {
  readonly target: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  readonly permit: BreakerPermit;
  readonly context: CallContext & { readonly controller: Stopper };
};

export type TargetAttempt = TargetPass & { readonly text: TextProvider };

function nameOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}

/**
 * Asks the circuit breaker for permission to call a target. Nothing may fail between here and the call, whose end
 * returns the permit.
 */
export function passTarget(
  breaker: Breaker,
  { requestId, orgId }: Pick<TargetsInput, "requestId" | "orgId">,
  to: Target,
): TargetPass {
  const target = nameOf(to);
  const permit = breaker.pass(target, orgId);
  if (permit === null) {
    const failure = new ProviderFailure("unavailable", "The model's provider is down.", {
      internal: `${target} is passed over`,
      isPassedOver: true,
      retryAfterSeconds: breaker.waitMs(target, orgId) / 1_000,
    });
    failure.target = target;
    throw failure;
  }
  const controller = new Stopper();
  return {
    target,
    upstreamModel: to.model,
    permit,
    context: { requestId, signal: controller, controller },
  };
}

export function attemptTarget(input: TargetsInput, to: Target): TargetAttempt {
  const { registry, breaker, request } = input;
  const text = registry.text(to.provider);
  request.wire?.onSent?.(null);
  return { ...passTarget(breaker, input, to), text };
}

export function brokeOff(): ProviderFailure {
  return brokenAnswer("stream without a finish");
}

const ignore = () => {};

/** If the failpoint throws or waits, nobody may ever await `coming`, so its rejection is ignored. */
export function failpointAfterSend(coming: Promise<unknown>): void | Promise<void> {
  try {
    const armed = failpoint("after_upstream_send");
    if (armed) coming.catch(ignore);
    return armed;
  } catch (error) {
    coming.catch(ignore);
    throw error;
  }
}
