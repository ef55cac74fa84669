import type { ChatRequest } from "../../../contract/index.ts";
import { isOwnData, plainName } from "../../unpriced-fields.ts";
import type { EncodeTarget } from "./encode-target.ts";

/**
 * What a client's own fields may never set: the resolved model, the prompt that was estimated, the limits that the hold
 * covers and the form of the answer. Servers know them by several names; some accept a list of other models to try, a
 * template that makes the prompt longer, or deferred answers, which nobody would fetch.
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
  // Fields of gateways in front of the model: other models, servers, accounts and retries, and changes to the request.
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
  // Containers for arbitrary fields, which nobody would check.
  "extra_body",
  "extra_headers",
  "extra_query",
  "headers",
  "provideroptions",
  "provider_options",
  // As a field it would set a prototype, whose fields nobody has checked.
  "__proto__",
] as const;

/**
 * What changes a provider's bill beyond tokens: a faster tier, hosted searches, spoken answers, the choice of a more
 * expensive host, helpers that a limit does not cover. No model's price includes them, so they are not sent. If an
 * answer without them would be of another kind, the request was refused before (unpriced-fields.ts).
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
 * What a server shared by all callers should keep separate, but accepts from anyone (vLLM, SGLang): the priority of a
 * request, its id, the adapter or code to run, and where to fetch the state of another request.
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

/** What would be kept at the provider, under an account that all organizations share. */
const KEPT = ["store", "background", "metadata"] as const;

/**
 * What tells apart a caller's users, and caches of their prompts. Two organizations may use the same values, and should
 * share neither a reputation nor a cache.
 */
const IDENTITIES: ReadonlySet<string> = new Set([
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "cache_salt",
]);

/** Whole families of reserved or unpriced fields. */
const FAMILIES = /fallback|^(?:mock_|litellm_|aws_|vertex_|azure_|web_?search)/;

const OURS: ReadonlySet<string> = new Set([...RESERVED, ...UNPRICED, ...SHARED, ...KEPT]);
/** Checked before they are sent, but under exactly these names: other spellings are dropped. */
const CHECKED: ReadonlySet<string> = new Set([
  "tools",
  "functions",
  "cache_control",
  "reasoning",
  ...IDENTITIES,
]);

/** Reasoning models refuse to have these changed; some accept them while they do not reason. */
const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p"]);
const PENALTIES: ReadonlySet<string> = new Set(["presence_penalty", "frequency_penalty"]);

/**
 * The client's own fields that are passed on, unchanged except for identities. An optional field that is null counts as
 * absent.
 */
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
    if (value === null || value === undefined) continue;
    if (!IDENTITIES.has(name)) fields[name] = value;
    else if (typeof value === "string" && request.sealed) fields[name] = request.sealed(value);
  }
  const { takesCacheKey } = target.vendor;
  if (takesCacheKey && request.cacheKey !== undefined) fields["prompt_cache_key"] ??= request.cacheKey;
  if (target.vendor.saltsCache && request.sealed) fields["cache_salt"] ??= request.sealed("");
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
