import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatRequest, Provider } from "../../contract/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { fillBlanks } from "./encode/bedrock-blanks.ts";
import { captionDocuments, nameDocuments } from "./encode/bedrock-documents.ts";
import { beginWithUser } from "./encode/begin-with-user.ts";
import { cachesMarked } from "./encode/cache-marks.ts";
import { callsAsText } from "./encode/calls-as-text.ts";
import { cannotThinkWhenForced, crossesFormTool, mustCall, oneCallAtATime } from "./encode/forced-call.ts";
import { type AiSdkDeps, createLibraryFetch } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import {
  type AiSdkQuirks,
  type FormBy,
  ORDINARY,
  type ProviderOptions,
  type ReasoningSettings,
  type Sampling,
} from "./quirks.ts";
import { type ReasoningEffort, readEffort } from "./reasoning-effort.ts";
import { fitsTool, isBetterAsTool } from "./schema/form-tool.ts";
import { cleanForm } from "./schema/schema.ts";
import { thinkingBudget } from "./thinking-budget.ts";

const NAMESPACE = "amazonBedrock";
const DEFAULT_REGION = "us-east-1";
const CLAUDE = /claude/;
/** Up to Claude 4; later ones refuse temperature and top_p together. Anthropic's library never sends a Claude both. */
const SAMPLES_BOTH_WAYS = /claude-(?:v|instant|3|(?:opus|sonnet)-4-2)/;
const NOVA = /nova/;
/** Models that accept a conversation which begins with an assistant message; others: "must start with a user message". */
const MAY_BEGIN = /claude|qwen/;

const QUIRKS: Omit<AiSdkQuirks, "formBy" | "reasoning" | "options"> = {
  ...ORDINARY,
  namespace: NAMESPACE,
  signatureField: "signature",
  asksForJson: true,
  takesUrls: false,
  takesInResult: ({ mediaType, isRemote }) => !isRemote && /^(image\b|application\/pdf$)/.test(mediaType),
  cacheMark: { cachePoint: { type: "default" } },
  needsFlatParameters: true,
  takesStrictTools: false,
  takesIdleTools: false,
  fitSampling,
  fitPrompt,
};

/** Authenticates with an API key of the service, or with keys of an account, which sign each request. */
export function createBedrockProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  const region = settings.region ?? DEFAULT_REGION;
  return {
    name: settings.name,
    text: createAiSdkTextProvider({
      secrets: vendorSecrets(settings),
      onDisconnect: settings.onDisconnect ?? "stop",
      cachesBy: cachesMarked,
      load: async () => {
        const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
        const { getModelCapabilities } = await import("@ai-sdk/anthropic/internal");
        const bedrock = createAmazonBedrock({
          region,
          // None may be absent: the package would look for them in the environment. An empty API key is none to it.
          ...(settings.awsKeys === undefined
            ? { apiKey: settings.apiKey ?? "none" }
            : { apiKey: "", ...settings.awsKeys }),
          baseURL: settings.baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
          ...(settings.headers === undefined ? {} : { headers: { ...settings.headers } }),
          fetch: createLibraryFetch(deps, { isFramed: true }),
        });
        return {
          quirks: {
            ...QUIRKS,
            formBy: (model, request) => formBy(model, request, getModelCapabilities(model)),
            reasoning: (model, request) => reasoning(model, request, getModelCapabilities(model)),
            options: (wireFields, model, request) => ({
              // The package reads it from the same option as Anthropic's own, and ignores it for other vendors' models.
              anthropic: oneCallAtATime(wireFields),
              [NAMESPACE]: formOptions(model, request),
            }),
          },
          languageModel: (modelId) => bedrock.languageModel(modelId),
        };
      },
    }),
  };
}

function fitSampling(sampling: Sampling, model: string): Sampling {
  if (sampling.temperature === undefined || !CLAUDE.test(model) || SAMPLES_BOTH_WAYS.test(model))
    return sampling;
  const { topP: _topP, ...rest } = sampling;
  return rest;
}

function fitPrompt(
  prompt: LanguageModelV4Prompt,
  { tools = [] }: ChatRequest,
  model: string,
): LanguageModelV4Prompt {
  const readable = tools.length === 0 ? callsAsText(prompt) : prompt;
  const talk = MAY_BEGIN.test(model) ? readable : beginWithUser(readable);
  fillBlanks(talk);
  nameDocuments(talk);
  captionDocuments(talk);
  return talk;
}

/** What Anthropic's library knows about a model, under any of its names. */
type Claude = {
  readonly supportsAdaptiveThinking: boolean;
  readonly supportsStructuredOutput: boolean;
  readonly supportsBetweenToolsThinking: boolean;
  readonly rejectsThinkingDisabled: boolean;
};

/** All of it is set here: by default the package would add tokens to the limit, or remove the limit. */
function reasoning(model: string, request: ChatRequest, claude: Claude): ReasoningSettings {
  const effort = readEffort(request);
  if (!CLAUDE.test(model)) {
    if (effort === "none") return { reasoning: effort, isOff: true };
    return effort === null ? {} : { reasoning: NOVA.test(model) ? boundedEffort(effort) : effort };
  }
  if (effort === null) return claude.supportsAdaptiveThinking ? {} : { isOff: true };
  if (effort === "none") return { isOff: true, options: leastThinking(claude) };
  if (cannotThinkWhenForced(model, claude) && mustCall(request, formBy(model, request, claude))) {
    return { isOff: true };
  }
  if (claude.supportsAdaptiveThinking) {
    const maxReasoningEffort = effort === "minimal" ? "low" : effort;
    const reasoningConfig = { type: "adaptive", display: "summarized", maxReasoningEffort };
    return { options: { reasoningConfig } };
  }
  const budget = thinkingBudget({ effort, request, namespace: NAMESPACE });
  if (budget === null) return { isOff: true };
  return {
    maxOutputTokens: budget.maxOutputTokens,
    options: { reasoningConfig: { type: "enabled", budgetTokens: budget.budgetTokens } },
  };
}

/**
 * Claudes with adaptive thinking may think unasked. Anthropic's library has these settings against it, Bedrock's none.
 */
function leastThinking(claude: Claude): ProviderOptions {
  if (!claude.supportsAdaptiveThinking) return {};
  if (claude.supportsBetweenToolsThinking) return modelFields({ thinking: { type: "between_tools" } });
  if (claude.rejectsThinkingDisabled) return modelFields({ output_config: { effort: "low" } });
  return modelFields({ thinking: { type: "disabled" } });
}

function modelFields(fields: ProviderOptions): ProviderOptions {
  return { additionalModelRequestFields: fields };
}

/** Claudes that the library never asks by the field: in the prompt if there are other tools, else by its own tool. */
const ASKED_IN_WORDS = /claude-(?:opus-4-[78]|opus-5|sonnet-5|fable-5)/;

/** By default the library uses the field for any schema. */
function formOptions(model: string, { responseFormat }: ChatRequest): ProviderOptions {
  if (responseFormat?.type !== "json_schema" || !CLAUDE.test(model) || ASKED_IN_WORDS.test(model)) return {};
  return isBetterAsTool(responseFormat.schema) ? { structuredOutputMode: "jsonTool" } : {};
}

/**
 * Whether the library asks for a schema by its own tool, which must be called: if it knows of no field, does not trust
 * it or is told to. Some models are asked in the prompt instead if there are other tools.
 */
function isFormByTool(
  model: string,
  { responseFormat, tools = [] }: ChatRequest,
  { supportsStructuredOutput }: Claude,
): boolean {
  if (responseFormat?.type !== "json_schema") return false;
  if (ASKED_IN_WORDS.test(model)) return tools.length === 0;
  const hasField = supportsStructuredOutput && !/claude-(sonnet-4-6|haiku-4-5)/.test(model);
  return !hasField || isBetterAsTool(responseFormat.schema);
}

/** For other vendors' models it is unknown which schemas they accept as a tool. */
function formBy(model: string, request: ChatRequest, claude: Claude): FormBy {
  if (crossesFormTool(request)) return "words";
  if (!isFormByTool(model, request, claude)) return "field";
  const { responseFormat: format } = request;
  const isRefused =
    format?.type === "json_schema" && CLAUDE.test(model) && !fitsTool(cleanForm(format.schema));
  return isRefused ? "words" : "tool";
}

/** Amazon's own models accept no output limit at a high effort, and a call without a limit cannot be priced. */
function boundedEffort(effort: ReasoningEffort): ReasoningEffort {
  return effort === "high" || effort === "xhigh" || effort === "max" ? "medium" : effort;
}
