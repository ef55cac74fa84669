import type { ChatRequest } from "../../contract.ts";
import { isOwnData, plainName } from "../../unpriced-fields.ts";
import type { EncodeTarget } from "./encode-target.ts";

/**
 * What a client's own fields may never set: the model that was resolved, the prompt that was estimated, the
 * limits that the hold pays for and the form of the answer. Servers know them under several names; some take a
 * list of other models to try, a template that makes the prompt longer, or answer later what nobody would fetch.
 */
const RESERVED = [
  "model",
  "models",
  "route",
  "preset",
  "messages",
  "prompt",
  "input",
  "chat_template",
  "mm_processor_kwargs",
  "stream",
  "stream_options",
  "deferred",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "max_new_tokens",
  "num_predict",
  "n_predict",
  "options",
  "n",
  "best_of",
  // Of gateways before the model: other models, servers, accounts and attempts, and what of a request they change.
  "engine",
  "deployment_id",
  "model_list",
  "model_info",
  "prompt_id",
  "tags",
  "user_config",
  "custom_llm_provider",
  "api_base",
  "base_url",
  "api_key",
  "api_type",
  "api_version",
  "organization",
  "num_retries",
  "max_retries",
  "timeout",
  "request_timeout",
  "stream_timeout",
  "additional_drop_params",
  "cache_control_injection_points",
  // Fields of anything, which nobody would look at in there.
  "extra_body",
  "extra_headers",
  "extra_query",
  "headers",
  "provideroptions",
  "provider_options",
  // Set as a field it would be a prototype, whose fields nobody has looked at.
  "__proto__",
] as const;

/**
 * What changes a provider's bill beyond tokens: a faster tier, hosted searches, spoken answers, the choice of
 * a dearer host, helpers that a limit does not count. No model's price says what they cost, so they do not go out. Where
 * an answer without them would be of another kind, the request is refused before (unpriced-fields.ts).
 */
const UNPRICED = [
  "service_tier",
  "servicetier",
  "performanceconfig",
  "speed",
  "web_search_options",
  "search_parameters",
  "search_settings",
  "enable_search",
  "search_options",
  "compound_custom",
  "plugins",
  "provider",
  "modalities",
  "audio",
  "prediction",
  "safety_model",
  "inference_geo",
  "mcp_servers",
  "container",
  "betas",
  "anthropic_beta",
  "enable_web_search",
  "use_web_search",
  "multi_agent",
] as const;

/**
 * What a server that all callers share keeps apart, and takes from whoever sends it (vLLM, SGLang): who is served first,
 * under which id, with which adapter or code, and from where the state of another request is fetched.
 */
const SHARED = [
  "priority",
  "request_id",
  "rid",
  "session_params",
  "lora_path",
  "logits_processors",
  "custom_logit_processor",
  "kv_transfer_params",
  "bootstrap_host",
  "bootstrap_port",
  "bootstrap_room",
] as const;

/** Whole families of what is never set or has no price. */
const FAMILIES = /fallback|^(?:mock_|litellm_|aws_|vertex_|azure_|web_?search)/;

const OURS: ReadonlySet<string> = new Set([...RESERVED, ...UNPRICED, ...SHARED]);
/** Looked at before they go out, under these names alone. */
const CHECKED: ReadonlySet<string> = new Set(["tools", "functions", "cache_control", "reasoning"]);

/** Models that think take these only as they are; some of them take them while they do not think. */
const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p"]);
const PENALTIES: ReadonlySet<string> = new Set(["presence_penalty", "frequency_penalty"]);

/** What of a client's own fields goes out as it is. An optional field that is null is absent. */
export function clientFields(
  given: Readonly<Record<string, unknown>>,
  request: ChatRequest,
  target: EncodeTarget,
  drops: readonly string[],
): Record<string, unknown> {
  const isUnpenalized = target.vendor.unpenalizedModels?.test(target.model) === true;
  const isFixed = hasFixedSampling(request, target);
  const fields: Record<string, unknown> = {};
  for (const name in given) {
    if (isOurs(name, target) || drops.includes(name)) continue;
    if ((isFixed && SAMPLING.has(name)) || (isUnpenalized && PENALTIES.has(name))) continue;
    const value = given[name];
    if (value !== null && value !== undefined) fields[name] = value;
  }
  return fields;
}

function isOurs(name: string, { vendor }: EncodeTarget): boolean {
  const lower = plainName(name);
  if (isOwnData(lower)) return !vendor.searchesOwnData;
  return OURS.has(lower) || FAMILIES.test(lower) || (lower !== name && CHECKED.has(lower));
}

export function hasFixedSampling(
  { reasoningEffort: effort }: ChatRequest,
  { vendor, model }: EncodeTarget,
): boolean {
  if (vendor.fixedSamplingModels?.test(model) !== true) return false;
  if (vendor.unthinkingSamplingModels?.test(model) !== true) return true;
  return effort === undefined ? vendor.unthinkingModels?.test(model) !== true : effort !== "none";
}
