import type { ChatRequest, Provider } from "../../contract/index.ts";
import { isObject, mayHaveLongNumber, parseExactly } from "../../kit/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { vendorSecrets } from "../vendor-secrets.ts";
import { createCountedGeminiEvents, usageWithoutPrompt, writtenSoFar } from "./counts/google-usage.ts";
import { saidEndOfGoogle } from "./decode/said-end.ts";
import { beginsWithCall, beginWithUser } from "./encode/begin-with-user.ts";
import { crossesFormTool } from "./encode/forced-call.ts";
import { type AiSdkDeps, createLibraryFetch } from "./library-fetch.ts";
import { createAiSdkTextProvider } from "./provider.ts";
import { type AiSdkQuirks, ORDINARY, type ReasoningSettings, type Sampling } from "./quirks.ts";
import { readEffort } from "./reasoning-effort.ts";

/** Names that the library rejects as unsafe, or an escape that may spell one. */
const FEARED_NAME = /"__proto__"|"constructor"|\\u00[5-7]/;

/**
 * Turns the arguments of calls in a Gemini event into text, which the library passes on unchanged. It would parse them
 * otherwise, and a tool would get a different id than the model wrote, or the answer would be lost because of an
 * argument's name. Only done if there may be a number too long for a double, or such a name.
 */
function withExactArguments(data: string): string {
  if (!data.includes('"functionCall"') || (!mayHaveLongNumber(data) && !FEARED_NAME.test(data))) return data;
  let event: unknown;
  try {
    event = parseExactly(data);
  } catch {
    // The library reports what is wrong with it.
    return data;
  }
  for (const candidate of listIn(event, "candidates")) {
    for (const part of listIn(isObject(candidate) ? candidate["content"] : null, "parts")) {
      const call = isObject(part) ? part["functionCall"] : null;
      if (isObject(call) && isObject(call["args"])) call["args"] = JSON.stringify(call["args"]);
    }
  }
  return JSON.stringify(event);
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : null;
  return Array.isArray(list) ? list : [];
}

export const GOOGLE_BASE_URL = "https://generativelanguage.googleapis.com/v1beta";
const VERTEX_BASE_URL = "https://aiplatform.googleapis.com/v1/publishers/google";

/** The subset of JSON Schema that the provider documents; it refuses a call with any other keyword. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  "$anchor",
  "$defs",
  "$ref",
  "additionalProperties",
  "anyOf",
  "description",
  "enum",
  "format",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "oneOf",
  "prefixItems",
  "properties",
  "propertyOrdering",
  "required",
  "title",
  "type",
]);

const QUIRKS = {
  ...ORDINARY,
  namespace: "google",
  signatureField: "thoughtSignature",
  schemaKeywords: SCHEMA_KEYWORDS,
  takesInResult: ({ isRemote }) => !isRemote,
  needsJoinedTurns: true,
  needsLeadingLetters: true,
  hasShortSeeds: true,
  fitSampling,
  // "function call turn comes immediately after a user turn": an agent that shortens a conversation may begin with a call.
  fitPrompt: (prompt) => (beginsWithCall(prompt) ? beginWithUser(prompt) : prompt),
  billedUsage: usageWithoutPrompt,
  writtenSoFar,
  reasoning,
} as const satisfies Partial<AiSdkQuirks>;

/** "Penalty is not enabled for this model". For earlier Geminis, the library handles it. */
const UNPENALIZED = /(?:^|[/.])gemini-3(?:[.-]|$)/i;

function fitSampling(sampling: Sampling, model: string): Sampling {
  if (!UNPENALIZED.test(model)) return sampling;
  const { presencePenalty: _presence, frequencyPenalty: _frequency, ...rest } = sampling;
  return rest;
}

type Quirks = Omit<AiSdkQuirks, "formBy">;

export function createGoogleProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  const baseUrl = settings.baseUrl ?? GOOGLE_BASE_URL;
  const service = "google.generative-ai";
  return {
    ...createGemini({ settings, deps, baseUrl, service, quirks: QUIRKS }),
    freeQuestion: {
      url: `${baseUrl}/models?pageSize=1000`,
      headers: headersOf(settings),
      provesKey: true,
      listsModels: true,
    },
  };
}

/**
 * The same models in Google's cloud, with an API key or a service account, whose tokens `outbound` adds. The wire is the
 * same, so the cloud's own package, with its authentication library and a second HTTP client, is not needed.
 */
export function createVertexProvider(settings: ProviderSettings, deps: AiSdkDeps): Provider {
  return createGemini({
    settings,
    deps,
    baseUrl: settings.baseUrl ?? vertexBaseUrl(settings),
    service: "google.vertex.chat",
    quirks: { ...QUIRKS, namespace: "googleVertex" },
  });
}

export function vertexBaseUrl({ region, project }: ProviderSettings): string {
  if (!project) return VERTEX_BASE_URL;
  const place = region ?? "global";
  return `https://${hostOf(place)}/v1/projects/${project}/locations/${place}/publishers/google`;
}

/** The newest models are served by whole continents and the global address only; each kind of place has its own host. */
function hostOf(place: string): string {
  if (place === "global") return "aiplatform.googleapis.com";
  if (place === "eu" || place === "us") return `aiplatform.${place}.rep.googleapis.com`;
  return `${place}-aiplatform.googleapis.com`;
}

function headersOf({ apiKey, headers }: ProviderSettings): Record<string, string> {
  return { ...(apiKey === null ? {} : { "x-goog-api-key": apiKey }), ...headers };
}

function createGemini(input: {
  readonly settings: ProviderSettings;
  readonly deps: AiSdkDeps;
  readonly baseUrl: string;
  /** Tells the library which of the two services it calls. */
  readonly service: string;
  readonly quirks: Quirks;
}): Provider {
  const { settings, deps, baseUrl, service, quirks } = input;
  return {
    name: settings.name,
    text: createAiSdkTextProvider({
      secrets: vendorSecrets(settings),
      onDisconnect: settings.onDisconnect ?? "stop",
      load: async () => {
        const { GoogleLanguageModel, getGoogleLanguageModelEntry } = await import("@ai-sdk/google/internal");
        const config = {
          provider: service,
          baseURL: baseUrl,
          headers: headersOf(settings),
          generateId: () => `call_${crypto.randomUUID().replaceAll("-", "")}`,
          fetch: createLibraryFetch(deps, {
            rewording: () => {
              const counted = createCountedGeminiEvents();
              return (data) => counted(withExactArguments(data));
            },
            saidEnd: saidEndOfGoogle,
          }),
        };
        return {
          quirks: {
            ...quirks,
            // Supported with tools since Gemini 3; but if a call is forced, the library would ask by a tool of its own.
            formBy: (model, request) => {
              if ((request.tools ?? []).length === 0) return "field";
              const { structuredOutput } = getGoogleLanguageModelEntry(model).capabilities.language;
              return structuredOutput.withFunctionTools && !crossesFormTool(request) ? "field" : "words";
            },
          },
          languageModel: (modelId) => new GoogleLanguageModel(modelId, config),
        };
      },
    }),
  };
}

/** Thinking counts against the same limit as the answer here, so the limit is not changed. */
function reasoning(_model: string, request: ChatRequest): ReasoningSettings {
  const effort = readEffort(request);
  if (effort === null) return {};
  if (effort === "none") return { reasoning: effort };
  return { reasoning: effort, options: { thinkingConfig: { includeThoughts: true } } };
}
