/**
 * How a model is reached, in our own words. Designed from the richer wire (tools, reasoning, n,
 * logprobs, files); the main interface's messages are a subset. No credits, no database, no Hono here.
 */

export type TextPart = { readonly type: "text"; readonly text: string };
export type ImagePart = { readonly type: "image"; readonly url: string; readonly detail?: string };
export type FilePart = {
  readonly type: "file";
  readonly filename?: string;
  readonly mediaType?: string;
  readonly data: string;
};
export type ContentPart = TextPart | ImagePart | FilePart;

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string };

export type ChatMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly toolCalls?: readonly ToolCall[];
      readonly reasoning?: string;
    }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string | readonly TextPart[] };

export type Tool = {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly strict?: boolean;
};

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | {
      readonly type: "json_schema";
      readonly name: string;
      readonly schema: unknown;
      readonly strict?: boolean;
    };

/** The neutral request: what every text provider is given. */
export type ChatRequest = {
  readonly messages: readonly ChatMessage[];
  /** Always set: what the hold pays for. */
  readonly maxOutputTokens: number;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly responseFormat?: ResponseFormat;
  readonly reasoningEffort?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly n?: number;
};

/** Usage as the provider reports it, unchecked. Input includes the cached tokens, output the reasoning ones. */
export type ReportedUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
};

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/**
 * What a text provider yields, in order; `finish` is last and comes exactly once per successful call.
 * `index` of text and reasoning, and `choice` of a tool call, say which of the `n` answers it belongs to
 * (absent: the first); `index` of a tool call counts the calls of its answer from 0.
 */
export type ChatEvent =
  | { readonly type: "text"; readonly text: string; readonly index?: number }
  | { readonly type: "reasoning"; readonly text: string; readonly index?: number }
  | { readonly type: "tool_call"; readonly index: number; readonly call: ToolCall; readonly choice?: number }
  | {
      readonly type: "finish";
      /** Of the first answer. */
      readonly reason: FinishReason;
      /** Of every answer, when more than one was asked for. */
      readonly reasons?: readonly FinishReason[];
      /** Of all answers together. */
      readonly usage: ReportedUsage | null;
    };

export type CallContext = {
  readonly requestId: string;
  /** Fires when the client left, the deadline passed or the process shuts down. */
  readonly signal: AbortSignal;
};

export type TextProvider = {
  chat(upstreamModel: string, request: ChatRequest, context: CallContext): AsyncIterable<ChatEvent>;
};

/** The closed set of ways in which a provider fails; paid-call maps each to an ending. */
export type ProviderFailureKind =
  | "rejected" // the provider says that the request is at fault: our 400
  | "context_overflow" // a rejection with a code of its own on the compatible interface
  | "unauthorized" // our credentials are refused: our 502
  | "rate_limited" // next target, then 503
  | "unavailable" // 5xx, resets, bad bodies: next target, then 502
  | "timeout"; // next target, then 504

export type ProviderFailureDetail = {
  readonly internal?: string;
  readonly retryAfterSeconds?: number;
  /** The caller asked for this failure by a sandbox directive: a circuit breaker must not count it. */
  readonly scripted?: boolean;
};

export class ProviderFailure extends Error {
  override name = "ProviderFailure";
  constructor(
    readonly kind: ProviderFailureKind,
    /** Already free of keys, hosts and ids, at most 300 characters. */
    readonly publicMessage: string,
    readonly detail: ProviderFailureDetail = {},
  ) {
    super(`${kind}: ${publicMessage}`);
  }
}

/** What the registry holds: one entry per configured provider; a field per modality it serves. */
export type Provider = {
  readonly name: string;
  readonly text?: TextProvider;
};
