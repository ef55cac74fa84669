import { isObject } from "../../kit/index.ts";
import type { ReportedUsage } from "../contract.ts";
import { NO_NUMBER } from "./odd-counts.ts";

/** What the library would not take, or would add up to a count that looks like one. */
const IS_ODD =
  /[tT]okenCount"\s*:\s*(?!\d+\s*[,}]|null\b)|TokensDetails"\s*:\s*(?!\[|null\b)|"usageMetadata"\s*:\s*(?!\{|null\b)/;

/** An event of Gemini's with a report that the library can read: an answer that is there is not lost for its counts. */
export function withReadableCounts(data: string): string {
  if (!IS_ODD.test(data)) return data;
  try {
    const event: unknown = JSON.parse(data);
    if (!isObject(event) || event["usageMetadata"] === undefined) return data;
    return JSON.stringify({ ...event, usageMetadata: readable(event["usageMetadata"]) });
  } catch {
    // The library says what is wrong with it.
    return data;
  }
}

function readable(given: unknown): unknown {
  if (given === null) return null;
  if (!isObject(given)) return { promptTokenCount: NO_NUMBER };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (name.endsWith("TokenCount")) return [[name, isCount(value) ? value : NO_NUMBER]];
      // They say only what a part of the prompt was; a part without a count says nothing.
      if (name.endsWith("TokensDetails"))
        return [[name, Array.isArray(value) ? value.filter(isDetail) : null]];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}

function isCount(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

function isDetail(value: unknown): boolean {
  return isObject(value) && typeof value["modality"] === "string" && typeof value["tokenCount"] === "number";
}

/** There is no answer without a prompt: the library would take what was not counted for nothing. */
export function usageWithoutPrompt(raw: Readonly<Record<string, unknown>>): ReportedUsage | null {
  const { promptTokenCount: prompt, candidatesTokenCount: written, thoughtsTokenCount: thought } = raw;
  if (typeof prompt === "number" || (typeof written !== "number" && typeof thought !== "number")) return null;
  return { inputTokens: Number.NaN, outputTokens: Number.NaN };
}
