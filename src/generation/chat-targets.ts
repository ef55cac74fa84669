import type { TextModel } from "../catalog/index.ts";
import { assert, failpoint } from "../kit/index.ts";
import {
  type CallContext,
  type ChatRequest,
  type FinishReason,
  ProviderFailure,
  type ProviderFailureKind,
  type Registry,
  type ReportedUsage,
} from "../providers/index.ts";

/** What one target answered, whole. */
export type ChatAnswer = {
  readonly target: string;
  readonly content: string;
  readonly finishReason: FinishReason;
  readonly usage: ReportedUsage | null;
};

/** Failures that another target may not share. What the provider rejected, the next one would reject too. */
const TRY_NEXT: ReadonlySet<ProviderFailureKind> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "unauthorized",
]);

/** Characters of one answer at most: far beyond any model's output, short of harm. */
const MAX_ANSWER_CHARACTERS = 16 * 1024 * 1024;

/** Tries the model's targets in order, within one hold, until one answers. */
export async function answerFromTargets(input: {
  registry: Registry;
  model: TextModel;
  request: ChatRequest;
  context: CallContext;
}): Promise<ChatAnswer> {
  const { targets } = input.model;
  assert(targets.length > 0, "a model that resolves has a target");
  let failure: ProviderFailure | undefined;
  for (const target of targets) {
    try {
      return await answerFrom(input, target);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !TRY_NEXT.has(error.kind)) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function answerFrom(
  input: { registry: Registry; request: ChatRequest; context: CallContext },
  target: TextModel["targets"][number],
): Promise<ChatAnswer> {
  const provider = input.registry.text(target.provider);
  let content = "";
  await failpoint("before_upstream_send");
  for await (const event of provider.chat(target.model, input.request, input.context)) {
    if (event.type === "text") {
      content += event.text;
      if (content.length > MAX_ANSWER_CHARACTERS) {
        throw new ProviderFailure("unavailable", "The answer was too long.", {
          internal: "answer over the bound",
        });
      }
    } else if (event.type === "finish") {
      await failpoint("after_upstream_end");
      return {
        target: `${target.provider}/${target.model}`,
        content,
        finishReason: event.reason,
        usage: event.usage,
      };
    }
  }
  throw new ProviderFailure("unavailable", "The answer broke off.", { internal: "stream without a finish" });
}
