import type { ResponseFormat } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import {
  booleanOf,
  type JsonObject,
  numberOf,
  objectOf,
  stringOf,
  wholeNumberOf,
} from "../../json-fields.ts";
import { TOOL_MODES } from "../../tool-choice.ts";
import { decodeFormat } from "./decode-format.ts";

/** What a request sets besides model and input. The reply repeats all of it but `include`. */
export type ResponseSettings = {
  readonly instructions: string | undefined;
  readonly format: ResponseFormat | undefined;
  readonly verbosity: string | undefined;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null };
  readonly include: readonly string[];
  /** As sent: which of them can be served is decided elsewhere. */
  readonly tools: readonly unknown[];
  /** As sent, except that the mode `any` becomes `required`. */
  readonly toolChoice: unknown;
  readonly parallelToolCalls: boolean | undefined;
  readonly maxToolCalls: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly topLogprobs: number | undefined;
  readonly truncation: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly user: string | undefined;
  readonly safetyIdentifier: string | undefined;
  readonly promptCacheKey: string | undefined;
};

const MOST_LOGPROBS = 20;
const MOST_TOOL_CALLS = 2 ** 31 - 1;

export function decodeSettings(body: JsonObject): ResponseSettings {
  const text = objectOf(body, "text");
  return {
    instructions: stringOf(body, "instructions"),
    format: decodeFormat(text),
    verbosity: text && stringOf(text, "verbosity", "text"),
    reasoning: decodeReasoning(objectOf(body, "reasoning")),
    include: stringsOf(body, "include"),
    tools: listOf(body, "tools"),
    toolChoice: toolChoiceOf(body),
    parallelToolCalls: booleanOf(body, "parallel_tool_calls"),
    maxToolCalls: wholeNumberOf(body, "max_tool_calls", { min: 1, max: MOST_TOOL_CALLS }),
    temperature: rangedOf(body, "temperature", { min: 0, max: 2 }),
    topP: rangedOf(body, "top_p", { min: 0, max: 1 }),
    presencePenalty: rangedOf(body, "presence_penalty", { min: -2, max: 2 }),
    frequencyPenalty: rangedOf(body, "frequency_penalty", { min: -2, max: 2 }),
    topLogprobs: wholeNumberOf(body, "top_logprobs", { min: 0, max: MOST_LOGPROBS }),
    truncation: truncationOf(body),
    metadata: metadataOf(body),
    user: stringOf(body, "user"),
    safetyIdentifier: stringOf(body, "safety_identifier"),
    promptCacheKey: stringOf(body, "prompt_cache_key"),
  };
}

function decodeReasoning(reasoning: JsonObject | undefined): ResponseSettings["reasoning"] {
  return {
    effort: (reasoning && stringOf(reasoning, "effort", "reasoning")) ?? null,
    summary: (reasoning && stringOf(reasoning, "summary", "reasoning")) ?? null,
  };
}

function toolChoiceOf(body: JsonObject): unknown {
  const choice = body["tool_choice"] ?? undefined;
  const mode = TOOL_MODES.get(isObject(choice) ? choice["mode"] : choice);
  if (mode === undefined) return choice;
  return isObject(choice) ? { ...choice, mode } : mode;
}

function rangedOf(
  body: JsonObject,
  field: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = numberOf(body, field);
  if (value === undefined || (value >= min && value <= max)) return value;
  throw invalid(field, `must be a number from ${min} to ${max}`);
}

function listOf(body: JsonObject, field: string): readonly unknown[] {
  const value = body[field] ?? [];
  if (Array.isArray(value)) return value;
  throw invalid(field, "must be a list");
}

function stringsOf(body: JsonObject, field: string): readonly string[] {
  const list = listOf(body, field);
  if (list.every((value) => typeof value === "string")) return list;
  throw invalid(field, "must be a list of strings");
}

function truncationOf(body: JsonObject): string | undefined {
  const value = stringOf(body, "truncation");
  if (value === undefined || value === "auto" || value === "disabled") return value;
  throw invalid("truncation", "must be auto or disabled");
}

function metadataOf(body: JsonObject): JsonObject | undefined {
  const value = objectOf(body, "metadata");
  if (value === undefined || Object.values(value).every((entry) => typeof entry === "string")) return value;
  throw invalid("metadata", "must be an object whose values are strings");
}
