import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatRequest, Provider, ReportedInput } from "../../contract/index.ts";
import { isObject } from "../../kit/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { isUnreported } from "./counts/odd-counts.ts";
import { createCountedEvents } from "./counts/unreported-usage.ts";
import { firstPieceOf } from "./decode/first-piece.ts";
import { saidEndBy } from "./decode/said-end.ts";
import { skipUnknown } from "./decode/unknown-event.ts";
import { fillBlankMessages } from "./encode/blank-messages.ts";
import { cachesMarked } from "./encode/cache-marks.ts";
import { cannotThinkWhenForced, crossesFormTool, mustCall, oneCallAtATime } from "./encode/forced-call.ts";
import { type AiSdkDeps, createLibraryFetch } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import {
  type AiSdkQuirks,
  type FormBy,
  ORDINARY,
  type ProviderOptions,
  type ReasoningSettings,
} from "./quirks.ts";
import { readEffort } from "./reasoning-effort.ts";
import { fitsTool } from "./schema/form-tool.ts";
import { refuseManyReferences } from "./schema/many-references.ts";
import { cleanForm } from "./schema/schema.ts";
import { thinkingBudget } from "./thinking-budget.ts";

const NAMESPACE = "anthropic";
const BASE_URL = "https://api.anthropic.com/v1";

/** Always the five-minute cache: the one-hour cache has a different price. */
const CACHE_MARK: ProviderOptions = { cacheControl: { type: "ephemeral" } };

const QUIRKS = {
  ...ORDINARY,
  namespace: NAMESPACE,
  signatureField: "signature",
  asksForJson: true,
  takesInResult: ({ mediaType }) => mediaType.startsWith("image") || mediaType === "application/pdf",
  takesMixedResults: true,
  cacheMark: CACHE_MARK,
  cachesWhole: true,
  needsFlatParameters: true,
  // The API allows at most twenty, without bounds on numbers and lengths.
  takesStrictTools: false,
  losesInheritedNames: true,
  fitPrompt,
  earlyInput: inputOfStart,
  skipped: skipUnknown,
  options,
} as const satisfies Partial<AiSdkQuirks>;

/** Bills what was generated until the cut, and stops when we disconnect. */
export function createAnthropicProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const headers = {
    "anthropic-version": "2023-06-01",
    ...(settings.apiKey === null ? {} : { "x-api-key": settings.apiKey }),
    ...settings.headers,
  };
  return {
    name: settings.name,
    freeQuestion: { url: `${baseUrl}/models?limit=1000`, headers, provesKey: true, listsModels: true },
    text: createAiSdkTextProvider({
      secrets: vendorSecrets(settings),
      onDisconnect: settings.onDisconnect ?? "stop",
      cachesBy: cachesMarked,
      takesBlankStops: false,
      load: async () => {
        const library = await import("@ai-sdk/anthropic/internal");
        const { AnthropicLanguageModel, getModelCapabilities, supportsNativeStructuredOutputSchema } =
          library;
        const config = {
          provider: `${NAMESPACE}.messages`,
          baseURL: baseUrl,
          headers,
          fetch: createLibraryFetch(deps, {
            rewording: () => {
              const counted = createCountedEvents();
              return (data) => {
                const piece = firstPieceOf(data);
                return piece === null ? counted(data) : [counted(data), counted(piece)];
              };
            },
            saidEnd: saidEndBy("message_stop"),
          }),
        };
        // If the provider has no field for a schema, the library turns it into a tool that must be called.
        const formBy = (model: string, request: ChatRequest): FormBy => {
          const { responseFormat: format } = request;
          if (format?.type !== "json_schema") return "field";
          const form = cleanForm(format.schema);
          refuseManyReferences(form);
          const hasField =
            getModelCapabilities(model).supportsStructuredOutput &&
            supportsNativeStructuredOutputSchema(form);
          if (hasField) return "field";
          return fitsTool(form) && !crossesFormTool(request) ? "tool" : "words";
        };
        return {
          quirks: {
            ...QUIRKS,
            formBy,
            reasoning: (model, request) => {
              const claude = getModelCapabilities(model);
              const cannotThink = () =>
                cannotThinkWhenForced(model, claude) && mustCall(request, formBy(model, request));
              return reasoning(claude, request, cannotThink);
            },
          },
          languageModel: (modelId) => new AnthropicLanguageModel(modelId, config),
        };
      },
    }),
  };
}

/** "text content blocks must be non-empty": an error about a message that the client may not even have written. */
function fitPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  fillBlankMessages(prompt);
  return prompt;
}

type Capabilities = {
  readonly supportsAdaptiveThinking: boolean;
  readonly maxOutputTokens: number;
  readonly isKnownModel: boolean;
};

function reasoning(model: Capabilities, request: ChatRequest, cannotThink: () => boolean): ReasoningSettings {
  const effort = readEffort(request);
  if (effort === "none") return { reasoning: effort, isOff: true };
  // These models may think unasked, and accept a turn that began without thinking.
  if (model.supportsAdaptiveThinking) {
    if (effort === null) return {};
    return cannotThink() ? { isOff: true } : { reasoning: effort };
  }
  if (effort === null || cannotThink()) return { isOff: true };
  const budget = thinkingBudget({
    effort,
    request,
    namespace: NAMESPACE,
    ...(model.isKnownModel ? { modelLimit: model.maxOutputTokens } : {}),
  });
  if (budget === null) return { isOff: true };
  return {
    maxOutputTokens: budget.maxOutputTokens,
    options: { thinking: { type: "enabled", budgetTokens: budget.budgetTokens } },
  };
}

/**
 * The whole prompt is cached by this option only if the caller asks: cache writes cost a quarter more than plain input.
 */
function options(wireFields: Readonly<Record<string, unknown>>): Record<string, ProviderOptions> {
  const cache = isObject(wireFields["cache_control"]) ? CACHE_MARK : {};
  return { [NAMESPACE]: { ...oneCallAtATime(wireFields), ...cache } };
}

/** Cache reads and writes are counted separately from `input_tokens`. */
function inputOfStart(event: unknown): ReportedInput | null {
  if (!isObject(event) || event["type"] !== "message_start") return null;
  const { message } = event;
  const usage = isObject(message) ? message["usage"] : null;
  if (!isObject(usage) || typeof usage["input_tokens"] !== "number") return null;
  if (isUnreported(usage["input_tokens"])) return null;
  const cachedInputTokens = Number(usage["cache_read_input_tokens"] ?? 0);
  const cacheWriteTokens = Number(usage["cache_creation_input_tokens"] ?? 0);
  return {
    inputTokens: usage["input_tokens"] + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
  };
}
