import { countedTokens } from "../../../compaction/src/index.ts";
import { believableUsage, measuredText, mostOutputTokens, textCost, type Usage } from "../catalog/index.ts";
import type { FinishReason, ReportedInput, ReportedUsage } from "../contract/index.ts";
import type { Clock } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { ChatAnswer } from "./answer/chat-answer.ts";
import type { QuotedChat } from "./chat-call.ts";
import type { ChatOutcome } from "./outcome.ts";
import type { CallMetrics } from "./paid-call/call-metrics.ts";
import type { Produced } from "./paid-call/produced.ts";
import type { TokenCorrections } from "./token-correction/token-correction.ts";

export type PricingDeps = {
  readonly metrics: CallMetrics;
  readonly log: Log;
  readonly clock: Clock;
  readonly corrections: TokenCorrections;
};

/**
 * A finished answer costs what the provider reported, or our estimate if that report is missing or not believable.
 */
export function priceFinished(
  deps: PricingDeps,
  chat: QuotedChat,
  answer: ChatAnswer,
): Produced<ChatOutcome> {
  const reported = answer.finish?.usage ?? null;
  const { usage, source } = usageOf(chat, answer, reported ?? leastUsage(chat, answer));
  if (source === "disbelieved") {
    deps.log.error("usage_disbelieved", { request_id: chat.call.requestId, target: answer.target });
    deps.metrics.disbelieved();
  }
  const learnable = source === "reported" && reported !== null ? chat.input.learnableAsSent() : null;
  if (learnable !== null) {
    const { principal, model } = chat.call;
    const asker = { orgId: principal.organization.id, model: model.id };
    deps.corrections.learn(asker, learnable, usage.inputTokens);
  }
  return produced(deps, { chat, answer, usage, finishReason: answer.finish?.reason ?? "stop" });
}

/** Some servers open their streams with an input count of 0, or close to it, and report the real one at the end. */
const LEAST_EARLY_SHARE = 1 / 10;

/** Thinking of a partial answer that nobody saw, and the most output tokens that are held for. */
type UnseenThinking = { readonly unseenTokens: number; readonly mostTokens: number };

const NO_THINKING: UnseenThinking = { unseenTokens: 0, mostTokens: 0 };

/**
 * A partial answer costs what was delivered, and at least its input: by the provider's own input count if it has
 * reported one that is plausible for this text, else by ours.
 */
export function priceDelivered(
  deps: PricingDeps,
  chat: QuotedChat,
  answer: ChatAnswer,
  { unseenTokens, mostTokens }: UnseenThinking = NO_THINKING,
): Produced<ChatOutcome> {
  const { usage: seen } = usageOf(chat, answer, deliveredUsage(chat, answer));
  const reasoningTokens = Math.min(unseenTokens, Math.max(0, mostTokens - seen.outputTokens));
  const usage = { ...seen, reasoningTokens, outputTokens: seen.outputTokens + reasoningTokens };
  return produced(deps, { chat, answer, usage, finishReason: "length" });
}

function usageOf(chat: QuotedChat, answer: ChatAnswer, reported: ReportedUsage | null) {
  return believableUsage({
    reported,
    model: chat.call.model,
    n: chat.n,
    estimate: (isBeyondWindow) => estimatedUsage(chat, answer, isBeyondWindow),
  });
}

/** Whether the size of the input is known, attachments included. */
export function isInputKnown(chat: QuotedChat, answer: ChatAnswer): boolean {
  return !chat.input.counted.attached.hasUnsureFiles || isCounted(chat, answer.input);
}

/** The input as the provider reported it before the end, and our own count of the output so far. */
function deliveredUsage(chat: QuotedChat, answer: ChatAnswer): ReportedUsage | null {
  if (!isCounted(chat, answer.input)) return null;
  return { ...answer.input, outputTokens: writtenTokens(chat, answer) };
}

/**
 * From a usage report in the middle of an answer, the input is final and the output is a lower bound; by our own
 * count more may have been written since.
 */
function leastUsage(chat: QuotedChat, answer: ChatAnswer): ReportedUsage | null {
  const delivered = deliveredUsage(chat, answer);
  const soFar = answer.finish?.usageSoFar;
  if (soFar === undefined) return delivered;
  const { usage, source } = usageOf(chat, answer, soFar);
  if (source !== "reported") return delivered;
  const counted = delivered ?? estimatedUsage(chat, answer, false);
  const outputTokens = Math.max(counted.outputTokens, usage.outputTokens);
  return { ...counted, outputTokens, reasoningTokens: usage.reasoningTokens };
}

function isCounted(chat: QuotedChat, input: ReportedInput | null): input is ReportedInput {
  if (input === null || input.inputTokens === 0) return false;
  // Servers that drop messages count only the rest. Decided by the model's capability, not by the caller's request:
  // providers that report the input early never receive such a request.
  if (chat.call.model.capabilities.includes("context_management")) return true;
  return input.inputTokens >= chat.input.textTokensAsSent() * LEAST_EARLY_SHARE;
}

function produced(
  { clock }: PricingDeps,
  input: { chat: QuotedChat; answer: ChatAnswer; usage: Usage; finishReason: FinishReason },
): Produced<ChatOutcome> {
  const { chat, answer, usage } = input;
  const { model } = chat.call;
  const wire = answer.wire(input.finishReason);
  // Some servers return fewer answers than requested: only those are charged.
  const priced = { model, usage, n: answer.finish?.reasons?.length ?? chat.n };
  return {
    outcome: {
      model: model.id,
      answers: answer.isWire ? [] : answer.whole(input.finishReason),
      wire,
      finishReason: input.finishReason,
      usage,
      efficiency: chat.efficiency,
      completedAtMs: clock.nowMs(),
    },
    cost: textCost(priced),
    measured: measuredText(priced),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    tokensSaved: chat.efficiency.tokensSaved,
    target: answer.target,
    isUnrepeatable: answer.isWire && wire === null,
  };
}

/**
 * Capped by the model's limits, like a believable report. A provider that reports an impossibly large input has read
 * a lot, so attachments then count as the bound that was held for, not as our estimate.
 */
function estimatedUsage(chat: QuotedChat, answer: ChatAnswer, isBeyondWindow: boolean): Usage {
  const { input } = chat;
  const { windowTokens } = chat.call.model.limits;
  const { attached, mostAttachedTokens, mostAudioTokens } = input.counted;
  const [attachedTokens, audioTokens] = isBeyondWindow
    ? [mostAttachedTokens, mostAudioTokens]
    : [attached.tokens, attached.audioTokens];
  const inputTokens = Math.min(input.textTokensAsSent() + attachedTokens, windowTokens);
  const audioInputTokens = Math.min(audioTokens, inputTokens);
  return {
    inputTokens,
    ...(audioInputTokens === 0 ? {} : { audioInputTokens }),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: writtenTokens(chat, answer),
    reasoningTokens: 0,
  };
}

function writtenTokens({ call, n }: QuotedChat, answer: ChatAnswer): number {
  return Math.min(countedTokens(answer.written), mostOutputTokens(call.model) * n);
}
