import { isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { encodeFormat } from "./decode/decode-format.ts";
import type { ResponseSettings } from "./decode/decode-settings.ts";

/** The settings that a reply repeats from its request, with defaults for those that were left out. */
export function encodeSettings(settings: ResponseSettings, maxTokens: number | null): JsonObject {
  return {
    instructions: settings.instructions ?? null,
    previous_response_id: null,
    max_output_tokens: maxTokens,
    max_tool_calls: settings.maxToolCalls ?? null,
    tools: encodeTools(settings.tools),
    tool_choice: settings.toolChoice ?? "auto",
    parallel_tool_calls: settings.parallelToolCalls ?? true,
    text: { format: encodeFormat(settings.format), verbosity: settings.verbosity ?? "medium" },
    reasoning: settings.reasoning,
    temperature: settings.temperature ?? 1,
    top_p: settings.topP ?? 1,
    presence_penalty: settings.presencePenalty ?? 0,
    frequency_penalty: settings.frequencyPenalty ?? 0,
    top_logprobs: settings.topLogprobs ?? 0,
    truncation: settings.truncation ?? "disabled",
    store: false,
    background: false,
    service_tier: "default",
    metadata: settings.metadata ?? {},
    safety_identifier: settings.safetyIdentifier ?? null,
    prompt_cache_key: settings.promptCacheKey ?? null,
    ...(settings.user === undefined ? {} : { user: settings.user }),
  };
}

/** Adds the keys that strict clients expect of a function, for whom a missing or null `strict` is no boolean. */
export function encodeTools(tools: readonly unknown[]): readonly unknown[] {
  return tools.map((tool) => {
    if (!isObject(tool) || tool["type"] !== "function") return tool;
    if ("description" in tool && "parameters" in tool && typeof tool["strict"] === "boolean") return tool;
    const { description = null, parameters = null, strict } = tool;
    return { ...tool, description, parameters, strict: strict ?? false };
  });
}
