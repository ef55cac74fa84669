import type { ReportedUsage } from "../../../contract/index.ts";
import { isObject } from "../../../kit/index.ts";
import { type Fields, fieldsOf } from "../../../wires/index.ts";

export type UsageHabits = {
  /** Its cached tokens may include those of a prompt of its own, so that they exceed the input. */
  readonly cachesBeyondPrompt: boolean;
  /** Most output tokens with reasoning that only the total has; 0 for models whose output count includes it. */
  readonly mostWithReasoning: number;
};

/**
 * Usage in any of its forms, as numbers. A value that is present but no number becomes NaN, which nobody will believe;
 * null if both counts are missing.
 */
export function decodeUsage(
  given: unknown,
  { cachesBeyondPrompt, mostWithReasoning }: UsageHabits,
): ReportedUsage | null {
  const usage = withoutIdleNames(fieldsOf(given));
  const prompt = count(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const completion = count(usage["completion_tokens"] ?? usage["output_tokens"]);
  if (prompt === undefined && completion === undefined) return null;
  const inDetail = fieldsOf(
    usage["prompt_tokens_details"] ?? usage["input_tokens_details"] ?? usage["prompt_token_details"],
  );
  const outDetail = fieldsOf(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  let reasoning = count(outDetail["reasoning_tokens"] ?? usage["reasoning_tokens"]);
  const cacheWriteByOurName = count(inDetail["cache_write_tokens"]);
  const cacheWriteInDetail =
    cacheWriteByOurName ??
    count(inDetail["cache_creation_input_tokens"] ?? inDetail["cache_creation_tokens"]);
  const cacheWrite = says(cacheWriteInDetail)
    ? cacheWriteInDetail
    : count(usage["cache_creation_input_tokens"]);
  const cachedByOurName = count(
    inDetail["cached_tokens"] ??
      usage["prompt_cache_hit_tokens"] ??
      usage["cached_tokens"] ??
      // Ignore a zero: some send it beside Anthropic's field names.
      (usage["num_cached_tokens"] || undefined),
  );
  const cached = cachedByOurName ?? count(usage["cache_read_input_tokens"]);
  let inputTokens = prompt ?? Number.NaN;
  let outputTokens = completion ?? Number.NaN;
  // A cache count under OpenAI's names, or in the prompt's details and not above the prompt, is part of the prompt.
  const isPart = cachedByOurName !== undefined || says(cacheWriteInDetail);
  const hasOurNames = says(cachedByOurName) || says(cacheWriteByOurName);
  const cache = (cached ?? 0) + (cacheWrite ?? 0);
  const isBeside = !isPart || (!hasOurNames && cache > inputTokens);
  if (isBeside) inputTokens += cacheBeside(usage, cache);
  // Some leave reasoning or audio input out of their counts; the difference to the total reveals it, to the token.
  const uncounted = uncountedIn(usage["total_tokens"], inputTokens, outputTokens);
  if (uncounted > 0) {
    if (uncounted === reasoning) outputTokens += uncounted;
    else if (uncounted === inDetail["audio_tokens"]) inputTokens += uncounted;
    else if (
      outputTokens + uncounted <= mostWithReasoning &&
      isThought(uncounted, { reasoning, cached, cacheWrite })
    ) {
      outputTokens += uncounted;
      reasoning = uncounted;
    }
  }
  const isTotal = usage["total_tokens"] === inputTokens + outputTokens;
  if (isTotal && says(reasoning) && isResearch(usage) && reasoning > outputTokens) outputTokens += reasoning;
  const reported: Writable<ReportedUsage> = { inputTokens, outputTokens };
  if (says(cached)) reported.cachedInputTokens = cachesBeyondPrompt ? Math.min(cached, inputTokens) : cached;
  if (says(cacheWrite)) reported.cacheWriteTokens = cacheWrite;
  const audio = spokenIn(inDetail["audio_tokens"], inputTokens - (cached ?? 0) - (cacheWrite ?? 0));
  if (audio > 0) reported.audioInputTokens = audio;
  if (says(reasoning)) reported.reasoningTokens = shownReasoning(reasoning, outputTokens);
  const unpriced = unpricedIn(outDetail);
  if (unpriced !== undefined) reported.unpriced = unpriced;
  return reported;
}

/** An invalid number does not discredit the other counts. */
function unpricedIn(details: Fields): ReportedUsage["unpriced"] {
  const shown = (name: string) => (isSome(details[name]) ? Math.trunc(Number(details[name])) : 0);
  const audio = shown("audio_tokens");
  const acceptedPrediction = shown("accepted_prediction_tokens");
  const rejectedPrediction = shown("rejected_prediction_tokens");
  if (audio + acceptedPrediction + rejectedPrediction === 0) return undefined;
  return { audio, acceptedPrediction, rejectedPrediction };
}

/** Some servers also fill in the other API's names, with zeros: these are removed. */
function withoutIdleNames(usage: Fields): Fields {
  const isPromptIdle = usage["prompt_tokens"] === 0 && isSome(usage["input_tokens"]);
  const isCompletionIdle = usage["completion_tokens"] === 0 && isSome(usage["output_tokens"]);
  if (!isPromptIdle && !isCompletionIdle) return usage;
  const said: Record<string, unknown> = { ...usage };
  if (isPromptIdle) {
    delete said["prompt_tokens"];
    if (saysSomething(said["input_tokens_details"])) delete said["prompt_tokens_details"];
  }
  if (isCompletionIdle) {
    delete said["completion_tokens"];
    if (saysSomething(said["output_tokens_details"])) delete said["completion_tokens_details"];
  }
  return said;
}

function saysSomething(details: unknown): boolean {
  return isObject(details) && Object.keys(details).length > 0;
}

function isSome(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

/**
 * Anthropic counts cache reads and writes separately from its input, and so do some servers that use its names on this
 * wire. Those with `prompt_tokens` mostly include them, unless the cache is larger or the total says otherwise.
 */
function cacheBeside(usage: Fields, cache: number): number {
  if (!(cache > 0)) return 0;
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  if (typeof prompt !== "number") {
    return usage["input_tokens_details"] === undefined && usage["prompt_tokens_details"] === undefined
      ? cache
      : 0;
  }
  return cache > prompt || total === prompt + Number(completion) + cache ? cache : 0;
}

/** What the total has beyond both counts; 0 if it is missing or too small. */
function uncountedIn(total: unknown, inputTokens: number, outputTokens: number): number {
  return Number.isSafeInteger(total) ? Math.max(0, (total as number) - inputTokens - outputTokens) : 0;
}

type Details = Readonly<Record<"reasoning" | "cached" | "cacheWrite", number | undefined>>;

/**
 * Gemini, reached over this wire, reports its reasoning nowhere else; for any other model, a total that does not add up
 * means nothing. A difference as large as the cached tokens may be these once more, and if reasoning has its own count,
 * that one is used.
 */
function isThought(uncounted: number, { reasoning, cached = 0, cacheWrite = 0 }: Details): boolean {
  return reasoning === undefined && ![cached, cacheWrite, cached + cacheWrite].includes(uncounted);
}

/** Uncached audio input, at most all uncached input. An invalid number does not discredit the other counts. */
function spokenIn(audio: unknown, uncached: number): number {
  return Number.isSafeInteger(audio) && uncached > 0 ? Math.min(audio as number, uncached) : 0;
}

/**
 * Perplexity's research models reason in a separate step, which is billed in addition to the output and left out of the
 * total. Only their reports count citations; elsewhere, more reasoning than output may just be a rough count.
 */
function isResearch({ citation_tokens: citations }: Fields): boolean {
  return typeof citations === "number";
}

/**
 * Some report more reasoning than output, and nothing says whether it comes on top. We charge the output, so no more
 * than that is shown as reasoning.
 */
function shownReasoning(reasoning: number, outputTokens: number): number {
  return Number.isSafeInteger(reasoning) && reasoning > outputTokens ? outputTokens : reasoning;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** A count of 0 says nothing and is left out; NaN is kept, since it shows that the report cannot be believed. */
function says(value: number | undefined): value is number {
  return value !== undefined && value !== 0;
}

function count(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "number" ? value : Number.NaN;
}
