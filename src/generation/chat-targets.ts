import type { TextModel } from "../catalog/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import {
  type Breaker,
  type CallContext,
  type ChatEvent,
  type ChatRequest,
  ProviderFailure,
  type ProviderFailureKind,
  type Registry,
} from "../providers/index.ts";

/** What arrived together, and the target it came from. */
export type TargetBatch = { readonly target: string; readonly events: readonly ChatEvent[] };

/** Failures that another target may not share. What one provider rejects as wrong, the next one would too. */
const TRY_NEXT: ReadonlySet<ProviderFailureKind> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "unauthorized",
]);

/**
 * The model's targets in order, within one hold, until one sends its first byte; from then on that one alone.
 * Targets that are known to be down are passed over. Ends after `finish`; a stream that ends without one has
 * broken off.
 */
export async function* chatFromTargets(input: TargetsInput): AsyncGenerator<TargetBatch> {
  const { targets } = input.model;
  assert(targets.length > 0, "a model that resolves has a target");
  let failure: ProviderFailure | undefined;
  for (const target of targets) {
    let isSilent = true;
    try {
      for await (const batch of chatFromTarget(input, target)) {
        isSilent = false;
        yield batch;
      }
      return;
    } catch (error) {
      const mayTryNext = isSilent && error instanceof ProviderFailure && TRY_NEXT.has(error.kind);
      if (!mayTryNext) throw error;
      failure = error;
    }
  }
  throw failure;
}

type TargetsInput = {
  readonly registry: Registry;
  readonly breaker: Breaker;
  readonly model: TextModel;
  readonly request: ChatRequest;
  readonly context: CallContext;
};

async function* chatFromTarget(
  input: TargetsInput,
  { provider: name, model }: TextModel["targets"][number],
): AsyncGenerator<TargetBatch> {
  const target = `${name}/${model}`;
  const pass = input.breaker.pass(target);
  if (pass === null) {
    throw new ProviderFailure("unavailable", "The model's provider is down.", {
      internal: `${target} is passed over`,
    });
  }
  let isTold = false;
  try {
    await failpoint("before_upstream_send");
    for await (const events of input.registry.text(name).chat(model, input.request, input.context)) {
      if (!isTold) {
        isTold = true;
        pass.succeeded();
        await failpoint("after_first_byte");
      }
      yield { target, events };
      if (events.at(-1)?.type === "finish") {
        await failpoint("after_upstream_end");
        return;
      }
    }
    throw new ProviderFailure("unavailable", "The answer broke off.", {
      internal: "stream without a finish",
    });
  } catch (error) {
    if (!isTold) pass.failed(error);
    isTold = true;
    throw error;
  } finally {
    if (!isTold) pass.left();
  }
}

/** Does one of the model's providers bill a call whose client left all the same? */
export function isBilledToItsEnd(registry: Registry, model: TextModel): boolean {
  return model.targets.some(({ provider }) => registry.text(provider).onDisconnect === "drain");
}
