import type { Usage } from "./cost.ts";
import type { TextModel } from "./model.ts";

/** Usage as a provider reported it: we expect numbers, but it can be anything. */
export type ReportedTokens = {
  readonly inputTokens: unknown;
  readonly outputTokens: unknown;
  readonly cachedInputTokens?: unknown;
  readonly cacheWriteTokens?: unknown;
  readonly audioInputTokens?: unknown;
  readonly reasoningTokens?: unknown;
};

/** `unreported` is normal. `disbelieved` deserves an alert, since the provider's count makes no sense. */
type UsageSource = "reported" | "unreported" | "disbelieved";

type BelievedUsage = { readonly usage: Usage; readonly source: UsageSource };

/**
 * What to charge for. A count that is negative, fractional, no number, contradictory or beyond the
 * model's limits is not believed at all, and our estimate stands in for all of it. A reported 0 is 0.
 *
 * One token beyond is beyond, also where a server may have counted the one that ends its answer: the rule of money is
 * that such a report is not believed and its operator is told, and a margin would hide an entry or a server that is
 * wrong. The estimate costs nobody more than the limits say. Thoughts besides are within them (`maxThoughtTokens`).
 */
export function believableUsage(input: {
  readonly reported: ReportedTokens | null;
  readonly model: TextModel;
  readonly n: number;
  /** Asked only where the report cannot stand; told whether that is for more input than the model's server takes. */
  readonly estimate: (isBeyondWindow: boolean) => Usage;
}): BelievedUsage {
  if (input.reported === null) return { usage: input.estimate(false), source: "unreported" };
  const usage = asUsage(input.reported);
  const { windowTokens } = input.model.limits;
  const isBeyondWindow = usage !== null && usage.inputTokens > windowTokens;
  const believable =
    usage !== null &&
    !isBeyondWindow &&
    usage.outputTokens <= mostOutputTokens(input.model) * input.n &&
    usage.cachedInputTokens + usage.cacheWriteTokens + (usage.audioInputTokens ?? 0) <= usage.inputTokens &&
    usage.reasoningTokens <= usage.outputTokens;
  return believable
    ? { usage, source: "reported" }
    : { usage: input.estimate(isBeyondWindow), source: "disbelieved" };
}

/** Of one answer, its thoughts included. */
export function mostOutputTokens({ limits }: TextModel): number {
  return limits.maxOutputTokens + limits.maxThoughtTokens;
}

function asUsage(reported: ReportedTokens): Usage | null {
  const { inputTokens, outputTokens } = reported;
  const cachedInputTokens = reported.cachedInputTokens ?? 0;
  const cacheWriteTokens = reported.cacheWriteTokens ?? 0;
  const audioInputTokens = reported.audioInputTokens ?? 0;
  const reasoningTokens = reported.reasoningTokens ?? 0;
  const isBelievable =
    isCount(inputTokens) &&
    isCount(cachedInputTokens) &&
    isCount(cacheWriteTokens) &&
    isCount(audioInputTokens) &&
    isCount(outputTokens) &&
    isCount(reasoningTokens);
  if (!isBelievable) return null;
  const usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  return audioInputTokens === 0 ? usage : { ...usage, audioInputTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
