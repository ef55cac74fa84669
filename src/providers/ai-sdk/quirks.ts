import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ChatRequest, ReportedInput, ReportedUsage } from "../contract.ts";
import type { Skipped } from "./unknown-event.ts";

export type ProviderOptions = Record<string, JsonValue>;
type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined };

/** How much a model is to think, in the terms of the call; `maxOutputTokens` where thinking is counted apart. */
export type ReasoningSettings = {
  readonly reasoning?: LanguageModelV4CallOptions["reasoning"];
  readonly maxOutputTokens?: number;
  readonly options?: ProviderOptions;
  /** It will not think: what it thought before is left out, since the provider refuses it then. */
  readonly isOff?: boolean;
};

/** By a field, by a tool that the library makes of it and the model must call, or by a sentence. */
export type FormBy = "field" | "tool" | "words";

/** How an answer is sampled, and where it ends. */
export type Sampling = Pick<
  LanguageModelV4CallOptions,
  "temperature" | "topP" | "topK" | "seed" | "stopSequences" | "presencePenalty" | "frequencyPenalty"
>;

/** All that sets one provider apart from the others. */
export type AiSdkQuirks = {
  /** The key of its options and of its metadata, and the mark on its seals. */
  readonly namespace: string;
  /** The field of its metadata that holds a signature; null where it signs nothing. */
  readonly signatureField: "signature" | "thoughtSignature" | null;
  /** Keywords of a JSON schema that it takes; null where it takes them all. */
  readonly schemaKeywords: ReadonlySet<string> | null;
  /** It has no way to ask for any JSON object, so a sentence asks for it. */
  readonly asksForJson: boolean;
  /** How the form of an answer is asked for that the request demands. */
  formBy(model: string, request: ChatRequest): FormBy;
  /** It fetches a picture or document by its address; elsewhere the bytes must come with the call. */
  readonly takesUrls: boolean;
  /** It reads more than pictures and texts: documents, sound or video, each as far as the library knows. */
  readonly takesDocuments: boolean;
  /** It can be shown a file of this kind as part of a tool's result; otherwise a sentence says that there was one. */
  takesInResult(file: { readonly mediaType: string; readonly isRemote: boolean }): boolean;
  /** It takes the texts and files of a tool's result in any order; elsewhere there is one text before them. */
  readonly takesMixedResults: boolean;
  /** The option that keeps a prompt up to a part in its cache; null where it needs no asking. */
  readonly cacheMark: ProviderOptions | null;
  /** Whether an agent's conversation is marked for the model though nobody asked: not every one takes marks. */
  marksTalk(model: string, wireFields: Readonly<Record<string, unknown>>): boolean;
  /** It takes no choice between schemas at the top of a tool's parameters, and a form may become such a tool. */
  readonly needsFlatParameters: boolean;
  /** Its strict tools take every schema that strict clients send; elsewhere the wish is dropped. */
  readonly takesStrictTools: boolean;
  /** It takes tools that must not be called; elsewhere they are left out, as if there were none. */
  readonly takesIdleTools: boolean;
  /** A call must follow the user or a result, so what the model said before it is one turn with it; packages of others see to it. */
  readonly needsJoinedTurns: boolean;
  /** Its package loses the name of a tool that is called as something that every object has. */
  readonly losesInheritedNames: boolean;
  /** It refuses a tool whose name begins with neither a letter nor `_`. */
  readonly needsLeadingLetters: boolean;
  /** The model refuses a tool for what its parameters are called. */
  needsPlainKeys(model: string): boolean;
  /** A seed has 32 bits there, the sign included: of a longer one the last ones go, so that it stays the same one. */
  readonly hasShortSeeds: boolean;
  /** Without what the model would refuse, where the library knows no better. */
  fitSampling(sampling: Sampling, model: string): Sampling;
  /** The prompt as its wire takes it, where the library knows no better. */
  fitPrompt(prompt: LanguageModelV4Prompt, request: ChatRequest, model: string): LanguageModelV4Prompt;
  /** The provider's own counts where the library's are not those that it bills; null leaves it to the library. */
  billedUsage(raw: Readonly<Record<string, unknown>>): ReportedUsage | null;
  /** How many tokens were reported of an answer that went on after it, where none are of all of it. */
  writtenSoFar(raw: Readonly<Record<string, unknown>>): number;
  /** What an event says of the input before the answer comes; null where none ever does. */
  readonly earlyInput: ((event: unknown) => ReportedInput | null) | null;
  /** Of an event that the library cannot read: what goes on without it; null where the answer does not. */
  skipped(event: unknown): Skipped | null;
  reasoning(model: string, request: ChatRequest): ReasoningSettings;
  /**
   * What its package must be told beside the request, fields of the chat-completions wire that it can express among it; by
   * the key of the options that have a word for it.
   */
  options(
    wireFields: Readonly<Record<string, unknown>>,
    model: string,
    request: ChatRequest,
  ): Readonly<Record<string, ProviderOptions>>;
};

/** What most providers share; one says only where it differs. */
export const ORDINARY = {
  schemaKeywords: null,
  asksForJson: false,
  takesUrls: true,
  takesDocuments: true,
  takesMixedResults: false,
  cacheMark: null,
  marksTalk: () => false,
  needsFlatParameters: false,
  takesStrictTools: true,
  takesIdleTools: true,
  needsJoinedTurns: false,
  losesInheritedNames: false,
  needsLeadingLetters: false,
  needsPlainKeys: () => false,
  hasShortSeeds: false,
  fitSampling: (sampling) => sampling,
  fitPrompt: (prompt) => prompt,
  billedUsage: () => null,
  writtenSoFar: () => 0,
  earlyInput: null,
  skipped: () => null,
  options: () => ({}),
} as const satisfies Partial<AiSdkQuirks>;
