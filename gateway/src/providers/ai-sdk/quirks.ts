import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatRequest, ReportedInput, ReportedUsage } from "../../contract/index.ts";
import type { Skipped } from "./decode/unknown-event.ts";

export type ProviderOptions = Record<string, JsonValue>;
type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined };

/** How much a model should think, in the library's terms. `maxOutputTokens` is set if thinking counts separately. */
export type ReasoningSettings = {
  readonly reasoning?: LanguageModelV4CallOptions["reasoning"];
  readonly maxOutputTokens?: number;
  readonly options?: ProviderOptions;
  /** The model will not think: earlier reasoning is dropped, since the provider would refuse it. */
  readonly isOff?: boolean;
};

/**
 * How a response schema is requested: by a field, by a tool that the library makes of it and the model must call, or in
 * the prompt.
 */
export type FormBy = "field" | "tool" | "words";

/** Sampling parameters and stop sequences. */
export type Sampling = Pick<
  LanguageModelV4CallOptions,
  "temperature" | "topP" | "topK" | "seed" | "stopSequences" | "presencePenalty" | "frequencyPenalty"
>;

/** Everything in which one provider differs from the others. */
export type AiSdkQuirks = {
  /** The key of its options and metadata, and the prefix of its seals. */
  readonly namespace: string;
  /** The metadata field that holds a signature; null if it signs nothing. */
  readonly signatureField: "signature" | "thoughtSignature" | null;
  /** JSON Schema keywords that it accepts; null if it accepts all. */
  readonly schemaKeywords: ReadonlySet<string> | null;
  /** It cannot be asked for "any JSON object" by a field, so the prompt asks. */
  readonly asksForJson: boolean;
  /** How the response format of this request is asked for. */
  formBy(model: string, request: ChatRequest): FormBy;
  /** It downloads images and documents by URL; for others the call must contain the bytes. */
  readonly takesUrls: boolean;
  /** It reads more than images and text: documents, audio or video, as far as the library supports them. */
  readonly takesDocuments: boolean;
  /** Whether a tool result may contain a file of this kind; if not, a sentence mentions the file. */
  takesInResult(file: { readonly mediaType: string; readonly isRemote: boolean }): boolean;
  /** It accepts texts and files of a tool result in any order; for others one text comes first. */
  readonly takesMixedResults: boolean;
  /** The option that caches the prompt up to a part; null if caching is automatic. */
  readonly cacheMark: ProviderOptions | null;
  /** It has an option that caches the whole prompt; others get marks if a caller asks for that. */
  readonly cachesWhole: boolean;
  /** It accepts no `anyOf` or the like at the top of a tool's parameters, which a response schema may become. */
  readonly needsFlatParameters: boolean;
  /** Its strict tools accept every schema that strict clients send; for others `strict` is dropped. */
  readonly takesStrictTools: boolean;
  /** It accepts tools with a tool choice of none; for others the tools are left out. */
  readonly takesIdleTools: boolean;
  /**
   * A call must follow a user message or a result, so text that the model wrote before it is merged into the same turn;
   * other packages do that themselves.
   */
  readonly needsJoinedTurns: boolean;
  /** Its package loses tool names that every object inherits, such as `constructor`. */
  readonly losesInheritedNames: boolean;
  /** It refuses a tool whose name begins with neither a letter nor `_`. */
  readonly needsLeadingLetters: boolean;
  /** Seeds are signed 32-bit integers; longer ones are truncated, always to the same value. */
  readonly hasShortSeeds: boolean;
  /** Removes what the model would refuse and the library would still send. */
  fitSampling(sampling: Sampling, model: string): Sampling;
  /** Adapts the prompt to what the wire accepts where the library does not. */
  fitPrompt(prompt: LanguageModelV4Prompt, request: ChatRequest, model: string): LanguageModelV4Prompt;
  /** The provider's own counts, if the library's are not what it bills; null to use the library's. */
  billedUsage(raw: Readonly<Record<string, unknown>>): ReportedUsage | null;
  /** Output tokens in the last report of an answer that continued after it; 0 if there is none. */
  writtenSoFar(raw: Readonly<Record<string, unknown>>): number;
  /** Reads the input usage from an event before the answer; null if the provider never sends it. */
  readonly earlyInput: ((event: unknown) => ReportedInput | null) | null;
  /** For an event that the library cannot read: what can be skipped; null if the answer must fail. */
  skipped(event: unknown): Skipped | null;
  reasoning(model: string, request: ChatRequest): ReasoningSettings;
  /** Extra options for its package, by options key, including fields of the chat-completions wire that it supports. */
  options(
    wireFields: Readonly<Record<string, unknown>>,
    model: string,
    request: ChatRequest,
  ): Readonly<Record<string, ProviderOptions>>;
};

/** Defaults; each provider states only its differences. */
export const ORDINARY = {
  schemaKeywords: null,
  asksForJson: false,
  takesUrls: true,
  takesDocuments: true,
  takesMixedResults: false,
  cacheMark: null,
  cachesWhole: false,
  needsFlatParameters: false,
  takesStrictTools: true,
  takesIdleTools: true,
  needsJoinedTurns: false,
  losesInheritedNames: false,
  needsLeadingLetters: false,
  hasShortSeeds: false,
  fitSampling: (sampling) => sampling,
  fitPrompt: (prompt) => prompt,
  billedUsage: () => null,
  writtenSoFar: () => 0,
  earlyInput: null,
  skipped: () => null,
  options: () => ({}),
} as const satisfies Partial<AiSdkQuirks>;
