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

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** A provider's own seal on the call, handed back with it as it came. */
  readonly signature?: string;
};

/** A stretch of the model's reasoning that a client echoes; the signature proves it to its provider. */
export type ReasoningPart = { readonly text: string; readonly signature?: string };

export type ChatMessage =
  | { readonly role: "system" | "developer"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly toolCalls?: readonly ToolCall[];
      readonly reasoning?: readonly ReasoningPart[];
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
  /**
   * Nobody reads along: the provider may be asked for the whole answer in one piece, which costs a tenth of
   * a stream. Set only for answers short enough to be made before the first byte must have come.
   */
  readonly inOnePiece?: boolean;
  /** Fields of the chat-completions wire without a neutral form: sent on as they are where the wire is the same. */
  readonly wireFields?: Readonly<Record<string, unknown>>;
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
 * `index` says which of the `n` answers it belongs to (absent: the first); `call` counts the tool calls of
 * its answer from 0. A call's arguments follow its start in any number of pieces and are one JSON text.
 */
export type ChatEvent =
  | { readonly type: "text"; readonly text: string; readonly index?: number }
  | { readonly type: "reasoning"; readonly text: string; readonly index?: number }
  /** Seals the reasoning before it. */
  | { readonly type: "reasoning_signature"; readonly signature: string; readonly index?: number }
  | { readonly type: "refusal"; readonly text: string; readonly index?: number }
  | {
      readonly type: "tool_start";
      readonly call: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
      readonly index?: number;
    }
  | { readonly type: "tool_arguments"; readonly call: number; readonly text: string; readonly index?: number }
  /** Log probabilities of the text just sent, in the chat-completions form. */
  | { readonly type: "logprobs"; readonly content: readonly unknown[]; readonly index?: number }
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
  /**
   * Yields what arrived together as one batch, never an empty one: a turn of the loop per event would cost
   * more than the event. Ends by returning after `finish`, by a ProviderFailure, or by the signal's reason.
   */
  chat(
    upstreamModel: string,
    request: ChatRequest,
    context: CallContext,
  ): AsyncIterable<readonly ChatEvent[]>;
  /** What becomes of a call whose client left: stopped, or read to its end because it is billed anyway. */
  readonly onDisconnect: "stop" | "drain";
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
