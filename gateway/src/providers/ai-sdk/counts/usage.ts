import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ReportedUsage } from "../../../contract/index.ts";
import { isUnreported } from "./odd-counts.ts";

/**
 * The library's totals count each token once: cached and cache-written tokens are part of the input, reasoning tokens
 * part of the output. Null if the provider reported no number, which is not the same as 0.
 */
export function decodeUsage(usage: LanguageModelV4Usage): ReportedUsage | null {
  const { inputTokens, outputTokens, raw } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  if (raw !== undefined && !namesNumber(raw)) return null;
  if (isUnreported(inputTokens.total) || isUnreported(outputTokens.total)) return null;
  const { total = 0, cacheRead = 0, cacheWrite = 0 } = inputTokens;
  const audio = Math.min(spokenIn(raw ?? {}), total - cacheRead - cacheWrite);
  return {
    inputTokens: total,
    outputTokens: outputTokens.total ?? 0,
    ...(cacheRead ? { cachedInputTokens: cacheRead } : {}),
    ...(cacheWrite ? { cacheWriteTokens: cacheWrite } : {}),
    ...(audio > 0 ? { audioInputTokens: audio } : {}),
    ...(outputTokens.reasoning ? { reasoningTokens: outputTokens.reasoning } : {}),
  };
}

/** Also looks one level down: some providers nest their counts. */
function namesNumber(raw: object): boolean {
  return Object.values(raw).some(
    (value) =>
      typeof value === "number" ||
      (typeof value === "object" && value !== null && Object.values(value).some(Number.isFinite)),
  );
}

type Details = Readonly<Record<string, unknown>>;

/** Audio in Gemini's breakdown of the prompt, less the audio that came from the cache. */
function spokenIn(raw: object): number {
  const { promptTokensDetails, cacheTokensDetails } = raw as Details;
  return audioIn(promptTokensDetails) - audioIn(cacheTokensDetails);
}

function audioIn(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  const counts = details
    .filter((detail: Details | null) => detail?.["modality"] === "AUDIO")
    .map((detail: Details) => detail["tokenCount"])
    .filter(Number.isSafeInteger) as number[];
  return counts.reduce((sum, count) => sum + count, 0);
}
