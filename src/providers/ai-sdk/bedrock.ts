import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatRequest, Provider } from "../contract.ts";
import type { ProviderSettings } from "../settings.ts";
import { captionDocuments, nameDocuments } from "./bedrock-documents.ts";
import { callsInWords } from "./calls-in-words.ts";
import { cannotThinkWhenForced, crossesFormTool, isForced, oneCallAtATime } from "./forced-call.ts";
import { type AiSdkDeps, createLibraryFetch } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import type { AiSdkQuirks, ReasoningSettings } from "./quirks.ts";
import { type ReasoningEffort, readEffort } from "./reasoning-effort.ts";
import { thinkingBudget } from "./thinking-budget.ts";

const NAMESPACE = "amazonBedrock";
const DEFAULT_REGION = "us-east-1";
const CLAUDE = /claude/;
/** Told an effort; the ones before them think within a number of tokens. */
const ADAPTIVE_CLAUDE = /claude-[a-z]+-(4-[6-9]|[5-9])/;
const NOVA = /nova/;

const QUIRKS: AiSdkQuirks = {
  namespace: NAMESPACE,
  signatureField: "signature",
  schemaKeywords: null,
  asksForJson: true,
  takesFormBesideTools: (_model, request) => !crossesFormTool(request),
  takesUrls: false,
  takesDocuments: true,
  takesInResult: ({ mediaType, isRemote }) => !isRemote && /^(image\b|application\/pdf$)/.test(mediaType),
  cacheMark: { cachePoint: { type: "default" } },
  needsFlatParameters: true,
  takesStrictTools: false,
  takesIdleTools: false,
  hasShortSeeds: false,
  fitPrompt,
  billedUsage: () => null,
  earlyInput: null,
  skipped: () => null,
  reasoning,
  // Its package reads this one where Anthropic's own does, and leaves it out for models of others.
  options: (wireFields) => ({ anthropic: oneCallAtATime(wireFields) }),
};

/** With an API key of the service; keys that sign each request are not taken. */
export function createBedrockProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  const region = settings.region ?? DEFAULT_REGION;
  return {
    name: settings.name,
    text: createAiSdkTextProvider({
      onDisconnect: settings.onDisconnect ?? "stop",
      load: async () => {
        const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
        const bedrock = createAmazonBedrock({
          region,
          // Neither is ever absent: the package would look for them in the environment.
          apiKey: settings.apiKey ?? "none",
          baseURL: settings.baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
          ...(settings.headers === undefined ? {} : { headers: { ...settings.headers } }),
          fetch: createLibraryFetch(deps, { isFramed: true }),
        });
        return { quirks: QUIRKS, languageModel: (modelId) => bedrock.languageModel(modelId) };
      },
    }),
  };
}

function fitPrompt(prompt: LanguageModelV4Prompt, { tools = [] }: ChatRequest): LanguageModelV4Prompt {
  const talk = tools.length === 0 ? callsInWords(prompt) : prompt;
  nameDocuments(talk);
  captionDocuments(talk);
  return talk;
}

/** All of it is said here: left to itself the package would add tokens to the limit, or take it away. */
function reasoning(model: string, request: ChatRequest): ReasoningSettings {
  const effort = readEffort(request);
  if (effort === "none") return { reasoning: effort, isOff: true };
  if (!CLAUDE.test(model)) {
    return effort === null ? {} : { reasoning: NOVA.test(model) ? boundedEffort(effort) : effort };
  }
  if (ADAPTIVE_CLAUDE.test(model)) {
    if (effort === null) return {};
    if (cannotThinkWhenForced(model) && (isForced(request) || isFormByTool(model, request))) {
      return { isOff: true };
    }
    const maxReasoningEffort = effort === "minimal" ? "low" : effort;
    const reasoningConfig = { type: "adaptive", display: "summarized", maxReasoningEffort };
    return { options: { reasoningConfig } };
  }
  const budget = effort && thinkingBudget({ effort, request, namespace: NAMESPACE });
  if (budget === null) return { isOff: true };
  return {
    maxOutputTokens: budget.maxOutputTokens,
    options: { reasoningConfig: { type: "enabled", budgetTokens: budget.budgetTokens } },
  };
}

/** The library asks these for a form by a tool of its own, which must be called; one of them in words beside other tools. */
function isFormByTool(model: string, { responseFormat, tools = [] }: ChatRequest): boolean {
  if (responseFormat?.type !== "json_schema") return false;
  return /claude-sonnet-4-6/.test(model) || (/claude-opus-4-7/.test(model) && tools.length === 0);
}

/** Amazon's own models take no output limit at a high effort, and a call without a limit has no price. */
function boundedEffort(effort: ReasoningEffort): ReasoningEffort {
  return effort === "high" || effort === "xhigh" || effort === "max" ? "medium" : effort;
}
