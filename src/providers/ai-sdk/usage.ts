import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ReportedUsage } from "../contract.ts";

/**
 * The library's totals already hold each token once: cached and cache-written ones are part of the input,
 * reasoning ones part of the output. Null when the provider named no number, which is not the same as 0.
 */
export function decodeUsage(usage: LanguageModelV4Usage): ReportedUsage | null {
  const { inputTokens, outputTokens, raw } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  if (raw !== undefined && !namesNumber(raw)) return null;
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(inputTokens.cacheRead ? { cachedInputTokens: inputTokens.cacheRead } : {}),
    ...(inputTokens.cacheWrite ? { cacheWriteTokens: inputTokens.cacheWrite } : {}),
    ...(outputTokens.reasoning ? { reasoningTokens: outputTokens.reasoning } : {}),
  };
}

/** One level down too: some providers put their counts into an object of their own. */
function namesNumber(raw: object): boolean {
  return Object.values(raw).some(
    (value) =>
      typeof value === "number" ||
      (typeof value === "object" && value !== null && Object.values(value).some(Number.isFinite)),
  );
}
