import type { ChatRequest, Provider, ReportedUsage } from "../../contract/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { saidEndBy } from "./decode/said-end.ts";
import { type AiSdkDeps, createLibraryFetch } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import { type AiSdkQuirks, ORDINARY, type ReasoningSettings, type Sampling } from "./quirks.ts";
import { readEffort } from "./reasoning-effort.ts";

const BASE_URL = "https://api.cohere.com/v2";
/** Shares of the caller's limit, which covers thinking and answer together. */
const SHARES = { minimal: 0.1, low: 0.2, medium: 0.4, high: 0.6, xhigh: 0.75, max: 0.75 } as const;

const QUIRKS: AiSdkQuirks = {
  ...ORDINARY,
  namespace: "cohere",
  signatureField: null,
  formBy: (_model, { tools = [] }) => (tools.length === 0 ? "field" : "words"),
  takesDocuments: false,
  takesInResult: () => false,
  fitSampling,
  billedUsage,
  reasoning,
};

/** The range is 0 to 1, whereas OpenAI's is -2 to 2. */
function fitSampling({ presencePenalty, frequencyPenalty, ...rest }: Sampling): Sampling {
  const fitted = (penalty: number) => Math.min(Math.max(penalty, 0), 1);
  return {
    ...rest,
    ...(presencePenalty === undefined ? {} : { presencePenalty: fitted(presencePenalty) }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty: fitted(frequencyPenalty) }),
  };
}

export function createCohereProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  return {
    name: settings.name,
    freeQuestion: {
      // The list of models exists only in the previous version of the API.
      url: `${baseUrl.replace(/\/v2$/, "/v1")}/models`,
      headers: {
        ...(settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }),
        ...settings.headers,
      },
      provesKey: true,
      listsModels: false,
    },
    text: createAiSdkTextProvider({
      secrets: vendorSecrets(settings),
      onDisconnect: settings.onDisconnect ?? "stop",
      load: async () => {
        const { createCohere } = await import("@ai-sdk/cohere");
        const cohere = createCohere({
          baseURL: baseUrl,
          // Never absent: the package would look for one in the environment.
          apiKey: settings.apiKey ?? "none",
          ...(settings.headers === undefined ? {} : { headers: { ...settings.headers } }),
          fetch: createLibraryFetch(deps, { saidEnd: saidEndBy("message-end") }),
        });
        return { quirks: QUIRKS, languageModel: (modelId) => cohere.languageModel(modelId) };
      },
    }),
  };
}

function reasoning(_model: string, request: ChatRequest): ReasoningSettings {
  const effort = readEffort(request);
  if (effort === null || effort === "none") return effort === null ? {} : { reasoning: effort };
  const tokenBudget = Math.max(1, Math.floor(request.maxOutputTokens * SHARES[effort]));
  return { options: { thinking: { type: "enabled", tokenBudget } } };
}

/** The total count includes the provider's own preamble, which it does not bill. */
function billedUsage(raw: Readonly<Record<string, unknown>>): ReportedUsage | null {
  const billed = raw["billed_units"];
  if (typeof billed !== "object" || billed === null) return null;
  const { input_tokens: inputTokens, output_tokens: outputTokens } = billed as Record<string, unknown>;
  return typeof inputTokens === "number" && typeof outputTokens === "number"
    ? { inputTokens, outputTokens }
    : null;
}
