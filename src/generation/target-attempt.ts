import type { TextModel } from "../catalog/index.ts";
import {
  type Breaker,
  type BreakerPass,
  type CallContext,
  type ChatRequest,
  ProviderFailure,
  type ProviderFailureKind,
  type Registry,
  type TextProvider,
} from "../providers/index.ts";

export type TargetsInput = {
  readonly registry: Registry;
  readonly breaker: Breaker;
  readonly model: TextModel;
  readonly request: ChatRequest;
  readonly requestId: string;
};

/** One target being asked. */
export type TargetAttempt = {
  readonly target: string;
  /** What the provider calls the model. */
  readonly upstreamModel: string;
  readonly text: TextProvider;
  readonly permit: BreakerPass;
  readonly context: CallContext & { readonly controller: AbortController };
};

/** Failures that another target may not share. What one provider rejects as wrong, the next one would too. */
const TRY_NEXT: ReadonlySet<ProviderFailureKind> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "unauthorized",
]);

/** Whether the next target may be asked after this one failed before its first byte. */
export function mayTryNext(error: unknown): boolean {
  return error instanceof ProviderFailure && TRY_NEXT.has(error.kind);
}

/**
 * Asks the circuit breaker for the right to call a target. Nothing may fail between here and the call, which is
 * what gives the permit back.
 */
export function attemptTarget(
  { registry, breaker, requestId }: TargetsInput,
  { provider, model }: TextModel["targets"][number],
): TargetAttempt {
  const target = `${provider}/${model}`;
  const permit = breaker.pass(target);
  if (permit === null) {
    throw new ProviderFailure("unavailable", "The model's provider is down.", {
      internal: `${target} is passed over`,
    });
  }
  const controller = new AbortController();
  const context = { requestId, signal: controller.signal, controller };
  return { target, upstreamModel: model, text: registry.text(provider), permit, context };
}

export function brokeOff(): ProviderFailure {
  return new ProviderFailure("unavailable", "The answer broke off.", { internal: "stream without a finish" });
}
