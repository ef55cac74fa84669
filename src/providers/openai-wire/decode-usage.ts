import type { ReportedUsage } from "../contract.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Usage in any of its forms, as numbers. What is there but no number becomes NaN, which nobody will
 * believe; a report without both counts is none.
 */
export function decodeUsage(given: unknown, cachesBeyondPrompt: boolean): ReportedUsage | null {
  const usage = fieldsOf(given);
  const prompt = count(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const completion = count(usage["completion_tokens"] ?? usage["output_tokens"]);
  if (prompt === undefined && completion === undefined) return null;
  const inDetail = fieldsOf(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const outDetail = fieldsOf(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  const reasoning = count(outDetail["reasoning_tokens"] ?? usage["reasoning_tokens"]);
  const cacheWrite = count(inDetail["cache_write_tokens"] ?? usage["cache_creation_input_tokens"]);
  const cached = count(
    inDetail["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"],
  );
  let inputTokens = prompt ?? Number.NaN;
  let outputTokens = completion ?? Number.NaN;
  // Some leave reasoning or spoken input out of their counts; the total gives them away, to the token.
  const uncounted = Number(usage["total_tokens"]) - inputTokens - outputTokens;
  if (uncounted > 0 && uncounted === reasoning) outputTokens += uncounted;
  else if (uncounted > 0 && uncounted === inDetail["audio_tokens"]) inputTokens += uncounted;
  return {
    inputTokens,
    outputTokens,
    ...optional("cachedInputTokens", cachesBeyondPrompt && cached ? Math.min(cached, inputTokens) : cached),
    ...optional("cacheWriteTokens", cacheWrite),
    ...optional("reasoningTokens", reasoning),
  };
}

/** Without a field that says nothing. */
function optional(name: string, value: number | undefined): Readonly<Record<string, number>> {
  return value === undefined || value === 0 ? {} : { [name]: value };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function count(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "number" ? value : Number.NaN;
}
