import type { Usage } from "./cost.ts";
import type { TextModel } from "./model.ts";

/** Usage as a provider reported it: should be numbers, but can be anything. */
export type ReportedTokens = {
  readonly inputTokens: unknown;
  readonly outputTokens: unknown;
  readonly cachedInputTokens?: unknown;
  readonly cacheWriteTokens?: unknown;
  readonly audioInputTokens?: unknown;
  readonly reasoningTokens?: unknown;
  readonly unpriced?: Usage["unpriced"];
};

/** `unreported` is normal. `disbelieved` deserves an alert, since the provider's count makes no sense. */
type UsageSource = "reported" | "unreported" | "disbelieved";

type BelievedUsage = { readonly usage: Usage; readonly source: UsageSource };

/**
 * Decides which usage to charge. A count that is negative, fractional, not a number, contradictory or beyond the
 * model's limits discredits the whole report, and our estimate replaces all of it. A reported 0 is 0.
 *
 * One token over a limit is over, even if the server may have counted the token that ends its answer: such a report
 * must not be believed and the operator must be told, and a tolerance would hide a wrong catalog entry or a faulty
 * server. The estimate never charges more than the limits allow. Reasoning beyond the output limit is allowed for
 * (`maxThoughtTokens`).
 */
export function believableUsage(input: {
  readonly reported: ReportedTokens | null;
  readonly model: TextModel;
  readonly n: number;
  /**
   * Called only if the report is missing or not believed. `isBeyondWindow`: it claims more input than the model's
   * server accepts.
   */
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

/** Limit for one answer, reasoning included. */
export function mostOutputTokens({ limits }: TextModel): number {
  return limits.maxOutputTokens + limits.maxThoughtTokens;
}

function asUsage(reported: ReportedTokens): Usage | null {
  const { inputTokens, outputTokens, unpriced } = reported;
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
  const usage = { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens, unpriced };
  return audioInputTokens === 0 ? usage : { ...usage, audioInputTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
