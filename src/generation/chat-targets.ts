import type { TextModel } from "../catalog/index.ts";
import { assert, failpoint, present } from "../kit/index.ts";
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

/** Batches of an answer, one at a time. */
export type TargetBatches = {
  /** Undefined after `finish`. */
  next(): Promise<TargetBatch | undefined>;
  /** Lets go of whatever target is being read. */
  return(): Promise<void>;
};

type TargetsInput = {
  readonly registry: Registry;
  readonly breaker: Breaker;
  readonly model: TextModel;
  readonly request: ChatRequest;
  readonly context: CallContext;
};

/**
 * The model's targets in order, within one hold, until one sends its first byte; from then on that one alone.
 * Targets that are known to be down are passed over. An answer that ends without `finish` has broken off.
 * No generator: every level of those costs each batch several turns of the microtask queue.
 */
export function chatFromTargets(input: TargetsInput): TargetBatches {
  const { targets } = input.model;
  assert(targets.length > 0, "a model that resolves has a target");
  let at = 0;
  let reading: TargetReading | null = null;
  let isOver = false;

  async function next(): Promise<TargetBatch | undefined> {
    while (!isOver) {
      try {
        reading ??= await openTarget(input, present(targets[at], "a target"));
        const events = await reading.read();
        isOver = events.at(-1)?.type === "finish";
        return { target: reading.target, events };
      } catch (error) {
        const isSilent = reading?.isSilent ?? true;
        const mayTryNext = isSilent && error instanceof ProviderFailure && TRY_NEXT.has(error.kind);
        isOver = !mayTryNext || ++at === targets.length;
        if (isOver) throw error;
        reading = null;
      }
    }
    await reading?.leave();
    await failpoint("after_upstream_end");
    return undefined;
  }

  return {
    next,
    async return() {
      isOver = true;
      await reading?.leave();
    },
  };
}

type TargetReading = {
  readonly target: string;
  /** Nothing has come from it yet. */
  readonly isSilent: boolean;
  read(): Promise<readonly ChatEvent[]>;
  leave(): Promise<void>;
};

async function openTarget(
  input: TargetsInput,
  { provider: name, model }: TextModel["targets"][number],
): Promise<TargetReading> {
  const target = `${name}/${model}`;
  const armed = failpoint("before_upstream_send");
  if (armed) await armed;
  // Nothing may fail between here and the first read, which is what gives the permit back.
  const permit = input.breaker.pass(target);
  if (permit === null) {
    throw new ProviderFailure("unavailable", "The model's provider is down.", {
      internal: `${target} is passed over`,
    });
  }
  const batches = input.registry.text(name).chat(model, input.request, input.context)[Symbol.asyncIterator]();
  let isSilent = true;
  let isTold = false;
  return {
    target,
    get isSilent() {
      return isSilent;
    },
    async read() {
      try {
        const { value: events, done } = await batches.next();
        if (done) throw brokeOff();
        if (isSilent) {
          isSilent = false;
          isTold = true;
          permit.succeeded();
          await failpoint("after_first_byte");
        }
        return events;
      } catch (error) {
        if (!isTold) permit.failed(error);
        isTold = true;
        throw error;
      }
    },
    async leave() {
      if (!isTold) permit.left();
      isTold = true;
      await batches.return?.();
    },
  };
}

function brokeOff(): ProviderFailure {
  return new ProviderFailure("unavailable", "The answer broke off.", { internal: "stream without a finish" });
}

/** Does one of the model's providers bill a call whose client left all the same? */
export function isBilledToItsEnd(registry: Registry, model: TextModel): boolean {
  return model.targets.some(({ provider }) => registry.text(provider).onDisconnect === "drain");
}
