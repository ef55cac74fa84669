import {
  DEPLOYED_IMAGES,
  ROUTED_IMAGES,
  SIDED_IMAGES,
  SIZED_IMAGES,
  XAI_IMAGES,
} from "./openai-wire/media/images-habits.ts";
import { MP3_SPEECH, OPENAI_SPEECH, WAV_SPEECH } from "./openai-wire/media/speech-habits.ts";
import { GROQ_EFFORTS, MISTRAL_EFFORTS, XAI_EFFORTS } from "./openai-wire/model-efforts.ts";
import { PARTIAL_LIST, TEXT_ONLY, type WireVendor } from "./openai-wire/vendor.ts";
import { chat, type Vendor } from "./vendor.ts";

/** OpenAI's reasoning models, by their own name or with a vendor's prefix. */
const REASONING = /(?:^|\/)(?:o[1-9](?:$|-)|gpt-[5-9](?!.*-chat))/;
const NEW_LIMIT = /(?:^|\/)(?:o[1-9](?:$|-)|gpt-[5-9])/;

const THOUGHTLESS = /(?:^|\/)(?:gpt-[34]|chatgpt-|gpt-5.*-chat)/;

/** GPT-5.1 and later 5.x models can be told not to reason; then they accept sampling parameters like others. */
const MAY_NOT_THINK = /(?:^|\/)gpt-5\.\d(?!.*-(?:chat|pro|codex))/;
/**
 * Found by probing with `temperature`: 5.5 and later reason by default. Nothing is documented for the smaller ones, so
 * we assume that they do.
 */
const THINKS_IF_ASKED = /(?:^|\/)gpt-5\.[124](?:-\d{4}-\d\d-\d\d)?$/;

/**
 * "Function tools with reasoning_effort are not supported in /v1/chat/completions": models from 5.6 on refuse tools
 * because of their default effort, those from 5.2 to 5.5 because of any effort that is set, even `none`.
 */
const TOOLS_AS_RESPONSE: WireVendor["toolsAsResponse"] = {
  unlessNone: /(?:^|\/)gpt-(?:5\.[6-9]|[6-9])(?!.*-chat)/,
  withEffort: /(?:^|\/)gpt-5\.[2-5](?!.*-chat)/,
};

const OPENAI_MODELS: Partial<WireVendor> = {
  completionLimitModels: NEW_LIMIT,
  fixedSamplingModels: REASONING,
  unthinkingSamplingModels: MAY_NOT_THINK,
  unthinkingModels: THINKS_IF_ASKED,
  unpenalizedModels: REASONING,
  developerModels: REASONING,
  thoughtlessModels: THOUGHTLESS,
  encryptingModels: REASONING,
};

/** Kimi from K2.5 on. */
const FIXED_KIMI = /^(?:kimi-)?k(?:2\.[5-9]|[3-9])|^kimi-for-coding/;

/** Message fields that every server of this wire knows; some refuse any other. */
const PLAIN_MESSAGE = ["role", "content", "tool_calls", "tool_call_id"];
const OPENAI_MESSAGE = [...PLAIN_MESSAGE, "name", "refusal", "function_call"];
/** OpenAI's own cache mark. Many clients send Anthropic's, `cache_control`, to everybody. */
const OPENAI_PART = ["prompt_cache_breakpoint"];
/** Request fields that only OpenAI knows. */
const OPENAI_ALONE = [
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "moderation",
  "verbosity",
];

/** OpenAI's own server, wherever it is hosted. */
const OPENAI_SERVER: Partial<WireVendor> = {
  ...OPENAI_MODELS,
  schemaDrops: [],
  reasoningEcho: null,
  // Otherwise a single long id ("string too long") ends a conversation that began at another server for good.
  toolCallId: "short",
  // It takes any text.
  parsesArguments: false,
  toolResultParts: true,
  resultMedia: "behind",
  // Clients echo fields of other servers, and "Unknown parameter" would end the conversation.
  messageFields: OPENAI_MESSAGE,
  partFields: OPENAI_PART,
  allowedTools: true,
  customTools: true,
  speaksResponses: true,
  toolsAsResponse: TOOLS_AS_RESPONSE,
  speech: OPENAI_SPEECH,
};

/**
 * Every kind of provider. `drain` is for those that bill an answer to its end although nobody reads it any more (by the
 * list in openrouter.ai/docs/api-reference/streaming); an operator who knows better sets `on_disconnect`.
 */
export const ROWS = {
  /** Any other server, often a router: only its URL and key are known. */
  "openai-wire": chat(
    { ...OPENAI_MODELS, effortAsGiven: true, contentEndings: ["error"] },
    { needsEntry: true, needsAddress: true },
  ),
  azure: chat(
    {
      ...OPENAI_SERVER,
      auth: "api-key",
      route: "deployment",
      // Lists what could be deployed, not the names of the deployments.
      trial: PARTIAL_LIST,
      searchesOwnData: true,
      cachesBeyondPrompt: true,
      images: DEPLOYED_IMAGES,
    },
    { needsEntry: true, needsAddress: true, takes: ["api_version"] },
  ),
  bedrock: {
    wire: "bedrock",
    makes: "text",
    needsEntry: true,
    takes: ["access_key_id", "secret_access_key", "session_token", "region"],
  },
  vertex: {
    wire: "vertex",
    makes: "text",
    needsEntry: true,
    takes: ["service_account_file", "region", "project"],
  },
  /** Our own, where its program listens unless it is told otherwise. */
  sandbox: chat(
    {
      baseUrl: "http://127.0.0.1:9000/v1",
      mostInOnePiece: 0,
      reasoningEcho: "reasoning_details",
      toolResultParts: true,
      resultMedia: "within",
      allowedTools: true,
      images: {
        ...SIZED_IMAGES,
        shape: "ratio",
        tierNames: { "1k": "1k", "2k": "2k", "4k": "4k" },
        formats: ["png", "jpeg", "webp"],
        takesFinish: true,
      },
      speech: { ...MP3_SPEECH, takesLines: true },
    },
    { wire: "sandbox", needsEntry: true },
  ),
  openai: chat({
    ...OPENAI_SERVER,
    takesCacheKey: true,
    baseUrl: "https://api.openai.com/v1",
    searchModels: /-search-/,
  }),
  anthropic: { wire: "anthropic", makes: "text" },
  google: { wire: "google", makes: "text" },
  openrouter: chat({
    baseUrl: "https://openrouter.ai/api/v1",
    developerModels: /^/,
    effortAs: "reasoning",
    reasoningEcho: "reasoning_details",
    toolResultParts: true,
    resultMedia: "within",
    speaksResponses: true,
    responsesTools: "functions",
    contentEndings: ["error"],
    // Everything else is cached by itself, or as its caller marks it.
    markedModels: /^anthropic\/claude-[a-z]+-[4-9]/,
    // Its list of models is public and would not prove the key.
    trial: { path: "/key", provesKey: true, listsModels: false },
    images: ROUTED_IMAGES,
  }),
  groq: chat({
    baseUrl: "https://api.groq.com/openai/v1",
    limitField: "max_completion_tokens",
    // "Streaming and tool use are not currently supported with Structured Outputs"; JSON mode is refused as well.
    formsAlone: true,
    modelEfforts: GROQ_EFFORTS,
    reasoningEcho: "reasoning",
    joinsTextOf: ["system", "assistant"],
    messageFields: [...PLAIN_MESSAGE, "reasoning"],
    partFields: [],
    // Each of them causes a 400 (console.groq.com/docs/openai and /docs/responses-api).
    dropsFields: ["logit_bias", "logprobs", "top_logprobs", "store", ...OPENAI_ALONE],
    speaksResponses: true,
    responsesTools: "functions",
    responsesDrops: ["store", "include", "truncation", "safety_identifier", ...OPENAI_ALONE],
    onDisconnect: "drain",
    images: null,
    speech: WAV_SPEECH,
  }),
  mistral: chat({
    baseUrl: "https://api.mistral.ai/v1",
    asksForUsage: false,
    modelEfforts: MISTRAL_EFFORTS,
    seedField: "random_seed",
    reasoningEcho: "thinking_parts",
    toolCallId: "nine_alphanumerics",
    marksBegunAnswer: true,
    // "Unexpected role 'system' after role 'assistant'", or 'tool': as in its own validator, mistral-common.
    turnOrder: "early instructions",
    asksForParameters: true,
    resultMedia: null,
    filePart: "document_url",
    messageFields: [...PLAIN_MESSAGE, "prefix"],
    partFields: ["document_name", "reference_ids", "closed", "signature"],
    // Unknown fields cause a 422, and clients send these on their own.
    dropsFields: [
      "user",
      "store",
      "logit_bias",
      "logprobs",
      "top_logprobs",
      "safety_identifier",
      ...OPENAI_ALONE.filter((field) => field !== "prompt_cache_key"),
    ],
    // It caches for those who send one (docs.mistral.ai/inference/conversations/advanced/prompt-caching).
    takesCacheKey: true,
    onDisconnect: "drain",
    images: null,
  }),
  deepseek: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.deepseek.com",
    jsonSchema: false,
    // "Thinking mode does not support this tool_choice", and thinking is the default.
    unforcedThinking: { models: /^deepseek-v[4-9]/, off: { thinking: { type: "disabled" } } },
    reasoningEcho: "reasoning_content",
    lostReasoning: { of: "every turn", as: "" },
    resultMedia: null,
    joinsTextOf: ["system", "user", "assistant"],
  }),
  xai: chat(
    {
      baseUrl: "https://api.x.ai/v1",
      limitField: "max_completion_tokens",
      modelEfforts: XAI_EFFORTS,
      // The models that do not reason refuse them as well.
      unpenalizedModels: /^grok-(?:4|code)/,
      reasoningEcho: null,
      // "Each message must have at least one content element."
      refusesEmptyTurns: true,
      cachesBeyondPrompt: true,
      speaksResponses: true,
      responsesTools: "functions",
      trial: PARTIAL_LIST,
      images: XAI_IMAGES,
      speech: null,
    },
    { wire: "xai" },
  ),
  together: chat({
    baseUrl: "https://api.together.xyz/v1",
    trial: PARTIAL_LIST,
    images: SIDED_IMAGES,
  }),
  fireworks: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.fireworks.ai/inference/v1",
    // "Requests with max_tokens > 4096 must have stream=true".
    mostInOnePiece: 4_096,
    trial: PARTIAL_LIST,
    reasoningEcho: "reasoning_content",
    partFields: [],
  }),
  cerebras: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.cerebras.ai/v1",
    limitField: "max_completion_tokens",
    reasoningEcho: "reasoning",
    resultMedia: null,
    messageFields: [...PLAIN_MESSAGE, "reasoning"],
    partFields: [],
    // "property 'store' is unsupported": several agents send it with every call.
    dropsFields: ["store", ...OPENAI_ALONE],
  }),
  moonshot: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.moonshot.ai/v1",
    // "invalid temperature: only 1 is allowed for this model", and the same for the other sampling options.
    fixedSamplingModels: FIXED_KIMI,
    unpenalizedModels: FIXED_KIMI,
    // "not a valid moonshot flavored json schema": one such tool would make it refuse every request.
    typesInChoices: true,
    // "tool_choice 'required' is incompatible with thinking enabled". K2.7 cannot be told not to think.
    unforcedThinking: { models: /^kimi-k2\.[56]/, off: { thinking: { type: "disabled" } } },
    reasoningEcho: "reasoning_content",
    // "the message at position 3 with role 'assistant' must not be empty", "text content is empty".
    refusesEmptyTurns: true,
    joinsTextOf: ["assistant"],
    // It does not accept an empty text.
    lostReasoning: { of: "turns with calls", as: " " },
  }),
  zai: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.z.ai/api/paas/v4",
    trial: null,
    // It accepts a schema and answers in prose.
    jsonSchema: false,
    reasoningEcho: "reasoning_content",
  }),
  alibaba: chat({
    ...TEXT_ONLY,
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    trial: null,
    // "The tool_choice parameter does not support being set to required or object in thinking mode."
    unforcedThinking: { models: /^qwen3\.[5-9]-(?!.*thinking)/, off: { enable_thinking: false } },
    onDisconnect: "drain",
    thinksBeyondLimit: true,
  }),
  perplexity: chat({
    ...TEXT_ONLY,
    baseUrl: "https://api.perplexity.ai",
    trial: null,
    asksForUsage: false,
    reasoningEcho: null,
    // "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)."
    turnOrder: "alternating",
    resultMedia: null,
    filePart: "file_url",
    searchModels: /^/,
    onDisconnect: "drain",
  }),
  huggingface: chat({
    ...TEXT_ONLY,
    baseUrl: "https://router.huggingface.co/v1",
    trial: { ...PARTIAL_LIST, provesKey: false },
    onDisconnect: "drain",
  }),
  cohere: { wire: "cohere", makes: "text" },
  fal: { wire: "fal", makes: "media", otherKeyName: "FAL_KEY" },
  replicate: { wire: "replicate", makes: "media", otherKeyName: "REPLICATE_API_TOKEN" },
  elevenlabs: { wire: "elevenlabs", makes: "media" },
  ollama: chat({
    baseUrl: "http://127.0.0.1:11434/v1",
    reasoningEcho: "reasoning",
    dropsMessages: true,
  }),
  llamacpp: chat({
    ...TEXT_ONLY,
    baseUrl: "http://127.0.0.1:8080/v1",
    // It serves one model, under any name.
    trial: PARTIAL_LIST,
    // Most chat templates refuse or ignore later instructions, and the name of a model need not say which it is.
    turnOrder: "one instruction",
    // It would be a prefix of the answer: "Assistant response prefill is incompatible with enable_thinking."
    refusesEmptyTurns: true,
    reasoningEcho: "reasoning_content",
  }),
  // It once sent reasoning under the other name, and reads it only under this one.
  vllm: chat({
    baseUrl: "http://127.0.0.1:8000/v1",
    turnOrder: "one instruction",
    reasoningEcho: "reasoning",
    saltsCache: true,
  }),
} as const satisfies Readonly<Record<string, Vendor>>;

export const VENDORS: Readonly<Record<string, Vendor>> = ROWS;
