import type { Usage } from "../../../catalog/index.ts";
import type { FinishReason } from "../../../contract/index.ts";
import type { ChatOutcome, Paid } from "../../../generation/index.ts";
import { type AppError, isObject, OWN_FIELDS } from "../../../kit/index.ts";
import { encodeCharge } from "../../fields/paid-fields.ts";
import type { JsonObject } from "../json-fields.ts";
import { createdAtSeconds } from "../reply-identity.ts";
import { isCutBy } from "./cut-answer.ts";
import { encodeFormat } from "./decode/decode-format.ts";
import type { ResponseSettings } from "./decode/decode-settings.ts";

/** The settings that a reply repeats from its request, with defaults for those that were left out. */
function encodeSettings(settings: ResponseSettings, maxTokens: number | null): JsonObject {
  return {
    instructions: settings.instructions ?? null,
    previous_response_id: null,
    max_output_tokens: maxTokens,
    max_tool_calls: settings.max_tool_calls ?? null,
    tools: encodeTools(settings.tools),
    tool_choice: settings.tool_choice ?? "auto",
    parallel_tool_calls: settings.parallel_tool_calls ?? true,
    text: { format: encodeFormat(settings.format), verbosity: settings.text?.verbosity ?? "medium" },
    reasoning: { effort: settings.reasoning?.effort ?? null, summary: settings.reasoning?.summary ?? null },
    temperature: settings.temperature ?? 1,
    top_p: settings.top_p ?? 1,
    presence_penalty: settings.presence_penalty ?? 0,
    frequency_penalty: settings.frequency_penalty ?? 0,
    top_logprobs: settings.top_logprobs ?? 0,
    truncation: settings.truncation ?? "disabled",
    store: false,
    background: false,
    service_tier: "default",
    metadata: settings.metadata ?? {},
    safety_identifier: settings.safety_identifier ?? null,
    prompt_cache_key: settings.prompt_cache_key ?? null,
    ...(settings.user == null ? {} : { user: settings.user }),
  };
}

/** Adds the keys that strict clients expect of a function, for whom a missing or null `strict` is no boolean. */
function encodeTools(tools: readonly unknown[]): readonly unknown[] {
  return tools.map((tool) => {
    if (!isObject(tool) || tool["type"] !== "function") return tool;
    if ("description" in tool && "parameters" in tool && typeof tool["strict"] === "boolean") return tool;
    const { description = null, parameters = null, strict } = tool;
    return { ...tool, description, parameters, strict: strict ?? false };
  });
}

const MS_PER_SECOND = 1_000;

type Status = "in_progress" | "completed" | "incomplete" | "failed";

/**
 * Writes the response object of one call, each time it is sent. `output` is the JSON text of the items: a stream has
 * written it by then, and a long one is not written twice.
 */
export type ResponseObject = {
  inProgress(): string;
  ended(output: string, paid: Paid<ChatOutcome>): EndedResponse;
  /** `charge` is what it cost all the same. */
  failed(output: string, error: AppError, charge: object): string;
};

type EndedResponse = { readonly status: "completed" | "incomplete"; readonly text: string };

export function createResponseObject(input: {
  /** Id of the call that generated the answer, so that a repeat has the same response id. */
  readonly requestId: string;
  readonly model: string;
  readonly settings: ResponseSettings;
  readonly maxTokens: number | null;
}): ResponseObject {
  const { requestId, model } = input;
  const createdAt = createdAtSeconds(requestId);
  const identity = { id: `resp_${requestId}`, object: "response", created_at: createdAt, model };
  const settings = encodeSettings(input.settings, input.maxTokens);
  /** Serialized once: agents send long lists of tools, and a stream repeats them three times. */
  let settingsText: string | null = null;

  function encode(status: Status, output: string, changes: JsonObject): string {
    settingsText ??= JSON.stringify(settings).slice(1);
    const state = { ...identity, status, ...NOTHING_YET, ...changes };
    return `${JSON.stringify(state).slice(0, -1)},"output":${output},${settingsText}`;
  }

  /** Never before `created_at`, even if the clock was set back meanwhile. */
  function completedAtOf({ completedAtMs }: ChatOutcome): number {
    return Math.max(createdAt, Math.floor(completedAtMs / MS_PER_SECOND));
  }

  /** The upstream's own response, but with our ids, usage and cost; fields that it left out are filled in. */
  function encodeWhole(whole: JsonObject, output: string, paid: Paid<ChatOutcome>): EndedResponse {
    const { outcome } = paid;
    const end = endOf(outcome.finishReason);
    const status = whole["status"] === "incomplete" ? "incomplete" : end.status;
    const body: Record<string, unknown> = {
      ...identity,
      status,
      ...NOTHING_YET,
      ...end.details,
      ...settings,
    };
    if (status === "completed") body["completed_at"] = completedAtOf(outcome);
    for (const [name, value] of Object.entries(whole)) {
      if (value !== null && !OURS.has(name)) body[name] = value;
    }
    // Some upstreams repeat the tools without the keys that were left out.
    if (Array.isArray(body["tools"])) body["tools"] = encodeTools(body["tools"]);
    Object.assign(body, { usage: encodeUsage(outcome.usage) }, encodeCharge(paid));
    return { status, text: `${JSON.stringify(body).slice(0, -1)},"output":${output}}` };
  }

  return {
    inProgress: () => encode("in_progress", "[]", {}),
    ended(output, paid) {
      const { outcome } = paid;
      const { wire, usage, finishReason } = outcome;
      if (wire !== null) return encodeWhole(wire, output, paid);
      const { status, details } = endOf(finishReason);
      const completed_at = status === "completed" ? completedAtOf(outcome) : null;
      const changes = { ...details, completed_at, usage: encodeUsage(usage), ...encodeCharge(paid) };
      return { status, text: encode(status, output, changes) };
    },
    failed: (output, error, charge) =>
      encode("failed", output, { error: { code: codeOf(error), message: error.message }, ...charge }),
  };
}

const NOTHING_YET = { completed_at: null, error: null, incomplete_details: null, usage: null };

/** Never taken from an upstream: it knows neither the caller's names nor that nothing is stored here. */
const OURS: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created_at",
  "completed_at",
  "model",
  "status",
  // An answer that did not fail has no error, whatever an upstream sends here.
  "error",
  "output",
  "usage",
  "store",
  "background",
  "previous_response_id",
  "conversation",
  "max_output_tokens",
  ...OWN_FIELDS,
]);

function endOf(reason: FinishReason): {
  readonly status: "completed" | "incomplete";
  readonly details: JsonObject;
} {
  if (!isCutBy(reason)) return { status: "completed", details: {} };
  const why = reason === "length" ? "max_output_tokens" : "content_filter";
  return { status: "incomplete", details: { incomplete_details: { reason: why } } };
}

function encodeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** One of the codes that this wire knows for a failed response. */
function codeOf(error: AppError): string {
  if (error.options.reason === "context_length_exceeded") return "context_length_exceeded";
  if (error.code === "rate_limit_exceeded") return "rate_limit_exceeded";
  return error.status < 500 ? "invalid_prompt" : "server_error";
}
