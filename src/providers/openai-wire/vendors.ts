import { type WireVendor, wireVendor } from "./vendor.ts";

/** OpenAI's reasoning models, under their own name or behind a vendor's prefix. */
const REASONING = /(?:^|\/)(?:o[1-9](?:$|-)|gpt-[5-9](?!.*-chat))/;
const NEW_LIMIT = /(?:^|\/)(?:o[1-9](?:$|-)|gpt-[5-9])/;

const OPENAI_MODELS: Partial<WireVendor> = {
  completionLimitModels: NEW_LIMIT,
  fixedSamplingModels: REASONING,
  developerModels: REASONING,
};

/**
 * Every server of this wire that is known by name. `drain` is for those that bill an answer to its end
 * although nobody reads it any more (after the list in openrouter.ai/docs/api-reference/streaming);
 * an operator who knows better says `on_disconnect`.
 */
export const WIRE_VENDORS = {
  /** Any other server: an address and a key are all that is known of it. */
  "openai-wire": wireVendor(OPENAI_MODELS),

  openai: wireVendor({
    ...OPENAI_MODELS,
    baseUrl: "https://api.openai.com/v1",
    schemaDrops: [],
    toolResultParts: true,
  }),
  azure: wireVendor({
    ...OPENAI_MODELS,
    auth: "api-key",
    route: "deployment",
    schemaDrops: [],
    toolResultParts: true,
    cachesBeyondPrompt: true,
  }),
  openrouter: wireVendor({
    baseUrl: "https://openrouter.ai/api/v1",
    effortAs: "reasoning",
    reasoningEcho: "reasoning_details",
    toolResultParts: true,
  }),
  groq: wireVendor({
    baseUrl: "https://api.groq.com/openai/v1",
    limitField: "max_completion_tokens",
    reasoningEcho: "reasoning",
    onDisconnect: "drain",
  }),
  mistral: wireVendor({
    baseUrl: "https://api.mistral.ai/v1",
    asksForUsage: false,
    seedField: "random_seed",
    reasoningEcho: "thinking_parts",
    toolCallId: "nine_alphanumerics",
    filePart: "document_url",
    // Unknown fields are a 422 there, and clients send these without being asked.
    dropsFields: ["user", "store", "logit_bias", "logprobs", "top_logprobs"],
    onDisconnect: "drain",
  }),
  deepseek: wireVendor({
    baseUrl: "https://api.deepseek.com",
    jsonSchema: false,
    reasoningEcho: "reasoning_content",
  }),
  xai: wireVendor({
    baseUrl: "https://api.x.ai/v1",
    limitField: "max_completion_tokens",
    cachesBeyondPrompt: true,
  }),
  together: wireVendor({ baseUrl: "https://api.together.xyz/v1" }),
  fireworks: wireVendor({
    baseUrl: "https://api.fireworks.ai/inference/v1",
    reasoningEcho: "reasoning_content",
  }),
  cerebras: wireVendor({
    baseUrl: "https://api.cerebras.ai/v1",
    limitField: "max_completion_tokens",
    reasoningEcho: "reasoning",
  }),
  moonshot: wireVendor({ baseUrl: "https://api.moonshot.ai/v1", reasoningEcho: "reasoning_content" }),
  zai: wireVendor({ baseUrl: "https://api.z.ai/api/paas/v4", reasoningEcho: "reasoning_content" }),
  alibaba: wireVendor({
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    onDisconnect: "drain",
  }),
  perplexity: wireVendor({
    baseUrl: "https://api.perplexity.ai",
    asksForUsage: false,
    filePart: "file_url",
    onDisconnect: "drain",
  }),
  huggingface: wireVendor({ baseUrl: "https://router.huggingface.co/v1", onDisconnect: "drain" }),

  ollama: wireVendor({ baseUrl: "http://127.0.0.1:11434/v1", reasoningEcho: "reasoning" }),
  llamacpp: wireVendor({ baseUrl: "http://127.0.0.1:8080/v1", reasoningEcho: "reasoning_content" }),
  vllm: wireVendor({ baseUrl: "http://127.0.0.1:8000/v1", reasoningEcho: "reasoning_content" }),
} as const satisfies Readonly<Record<string, WireVendor>>;

export type WireVendorName = keyof typeof WIRE_VENDORS;
