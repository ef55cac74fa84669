/**
 * How a model is reached, in neutral terms. Modelled on the richer wire (tools, reasoning, n, logprobs, files); the
 * main interface's messages are a subset of it. No credits, no database, no Hono here.
 */
import type { CallContext } from "./call-context.ts";

/** A cache breakpoint at the end of a content part, message or tool. */
type CacheMark = {
  /** The caller wants everything up to here cached by the provider. Only for providers that cache on request. */
  readonly cache?: boolean;
};

type TextPart = CacheMark & { readonly type: "text"; readonly text: string };
export type ImagePart = CacheMark & {
  readonly type: "image";
  readonly url: string;
  readonly detail?: string;
};
export type FilePart = CacheMark & {
  readonly type: "file";
  readonly filename?: string;
  readonly mediaType?: string;
  readonly data: string;
  /** Set if the sender put this file into an image part; wires that have image parts send it in one. */
  readonly writtenAs?: ImagePart;
};
/** A part that only the caller's own wire can express; providers of other wires refuse it by its name. */
type OtherPart = { readonly type: "other"; readonly name: string };
export type ContentPart = TextPart | ImagePart | FilePart | OtherPart;

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** A provider's signature of the call, returned to it unchanged. */
  readonly signature?: string;
};

/**
 * A piece of the model's reasoning that the client sends back. The signature proves to its provider that it is real.
 */
export type ReasoningPart = { readonly text: string; readonly signature?: string };

export type ChatMessage =
  | (CacheMark & {
      readonly role: "system" | "developer";
      readonly content: string;
      /** More cache breakpoints within `content`: offsets in characters, each before a line break. */
      readonly cacheAt?: readonly number[];
    })
  | (CacheMark & { readonly role: "user"; readonly content: string | readonly ContentPart[] })
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly toolCalls?: readonly ToolCall[];
      readonly reasoning?: readonly ReasoningPart[];
    }
  | (CacheMark & {
      readonly role: "tool";
      readonly toolCallId: string;
      readonly content: string | readonly ContentPart[];
    });

export type Tool = CacheMark & {
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
      readonly description?: string;
      readonly schema: unknown;
      readonly strict?: boolean;
    };

/**
 * The caller's original request, in a wire that some providers speak themselves. Such a provider forwards it as it is,
 * except for what we decide (model, limit, stream, priced fields) and its own repairs, and answers in `wire` events.
 * All others serve the neutral request that contains it.
 */
export type WireRequest = {
  readonly kind: "chat_completions" | "responses";
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Encodes a provider's signature in the id of a tool call, because the id is all that clients of this wire send back.
   * `reasoning` is what the model reasoned since the previous call. Returns the id unchanged if nothing is signed.
   */
  readonly sealCallId?: (
    id: string,
    signature: string | undefined,
    reasoning?: readonly ReasoningPart[],
  ) => string;
  /** Original digits of numbers in the body that a double cannot represent, by the double that they became. */
  readonly exactNumbers?: ReadonlyMap<number, string> | undefined;
  /** Marks encrypted reasoning and compactions, which clients of this wire receive as they are. */
  readonly reasoningMark?: ReasoningMark;
  /** The caller waits for one complete reply, so a chunk that only names the role is of no use. */
  readonly wantsWhole?: boolean;
  /**
   * Called with the body that is sent upstream, in this wire or another. Called with null before each target is tried,
   * and with an empty body if the request is repeated without any of the earlier reasoning.
   */
  readonly onSent?: (body: Readonly<Record<string, unknown>> | null) => void;
};

/** Records which provider encrypted a text: any other would refuse the whole conversation because of it. */
export type ReasoningMark = {
  mark(text: string, namespace: string): string;
  /** The text without its mark; null if another provider made it. Text without a mark is returned unchanged. */
  unmark(text: string, namespace: string): string | null;
};

/** Start and end, in bytes. */
export type Place = { readonly start: number; readonly end: number };

/**
 * Where the messages and tools of the caller's body stand in its bytes: one that is passed on unchanged, as the very
 * object that was read, can be sent as it was written.
 */
export type WrittenParts = {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly places: ReadonlyMap<unknown, Place>;
};
/**
 * Where a prompt can be marked for its provider's cache: behind tools and instructions, where the call before this one
 * ended, and at its end.
 */
export type MarkPlace = "beginning" | "last turn" | "end";

/** The neutral request, which every text provider is given. */
export type ChatRequest = {
  readonly messages: readonly ChatMessage[];
  /** Always set: the hold covers this many. */
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
   * Nobody reads the answer as it arrives, so the provider may be asked for it in one piece, which takes a tenth of
   * the processing of a stream. Set only for answers short enough to be complete before the first-byte timeout.
   */
  readonly inOnePiece?: boolean;
  readonly wire?: WireRequest;
  /** Fields of the chat-completions wire without a neutral form, forwarded as they are to providers of that wire. */
  readonly wireFields?: Readonly<Record<string, unknown>>;
  /** Absent for short bodies, and for one that says something else than what was read from it. */
  readonly asWritten?: WrittenParts | undefined;
  /** Makes an identity that a caller chose (a user, a cache) one that only its organization has. */
  readonly sealed?: (identity: string) => string;
  /** Where to mark the prompt, for providers that cache what is marked. Absent if its caller has marked something. */
  readonly cacheMarks?: readonly MarkPlace[];
  /** The same for calls that begin alike, for providers that find what they have cached by a key. Sealed. */
  readonly cacheKey?: string;
};

/**
 * Usage as the provider reports it, unchecked. Input includes cached and audio tokens (no token counts as both); output
 * includes reasoning tokens.
 */
export type ReportedUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly audioInputTokens?: number;
  readonly reasoningTokens?: number;
  /** Parts of the output without a price of their own. */
  readonly unpriced?: Readonly<Record<"audio" | "acceptedPrediction" | "rejectedPrediction", number>>;
};

/** Input usage that a provider reports before its answer is complete. Unchecked, like all reported usage. */
export type ReportedInput = Omit<ReportedUsage, "outputTokens" | "reasoningTokens" | "unpriced">;

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/**
 * What a text provider yields, in order. `finish` is last and comes exactly once per successful call. `index` is the
 * answer, of `n`, that the event belongs to (absent: the first). `call` counts the tool calls of that answer from 0. A
 * call's arguments follow its start in any number of pieces, which together are one JSON text.
 */
export type ChatEvent =
  /** Never sent without some of the answer. Used if no usage of the whole answer is reported. */
  | { readonly type: "input"; readonly usage: ReportedInput }
  | { readonly type: "text"; readonly text: string; readonly index?: number }
  | { readonly type: "reasoning"; readonly text: string; readonly index?: number }
  /** Signs the reasoning before it. */
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
  /** A piece of the answer in the wire of `request.wire`, repaired. Never mixed with the neutral events above. */
  | WireEvent
  /** Log probabilities of the text just sent, in the chat-completions form. */
  | { readonly type: "logprobs"; readonly content: readonly unknown[]; readonly index?: number }
  /** Citations of the text, in the chat-completions form. */
  | { readonly type: "annotations"; readonly content: readonly unknown[]; readonly index?: number }
  | {
      readonly type: "finish";
      /** Why the first answer ended. */
      readonly reason: FinishReason;
      /** Why each answer ended, if more than one was requested. */
      readonly reasons?: readonly FinishReason[];
      /** The total of all answers. */
      readonly usage: ReportedUsage | null;
      /** Only if `usage` is null: the last usage reported mid-stream. The answer continued after it. */
      readonly usageSoFar?: ReportedUsage;
      /** The whole answer as one reply of `request.wire`, repaired; present if requested. */
      readonly whole?: Readonly<Record<string, unknown>>;
    };

/** Where text is in the first answer: in these fields of its message, or in the arguments of this call. */
export type TextPlace = { readonly fields: readonly string[]; readonly call: number | null };

export type WireEvent = {
  readonly type: "wire";
  /** The event's name, in wires that name their events. */
  readonly event?: string;
  /**
   * The members of the event's JSON object, without braces and without the fields that we write ourselves: `id`,
   * `object`, `created`, `model` and `usage` of a chunk; `type` and `sequence_number` of a Responses event.
   */
  readonly members: string;
  /** What the model wrote in this event (text, reasoning, arguments), for our own token count. */
  readonly written: string;
  /** `written` is reasoning alone; events of the responses wire say so by their name. */
  readonly isReasoning?: boolean | undefined;
  /** Where `written` is. Events that differ in nothing else share this object, so joining them needs no parsing. */
  readonly place?: TextPlace | null;
  /** Belongs to no single choice but to the whole reply: it goes on the last chunk and has no `choices`. */
  readonly isBeside?: boolean;
  /** Says how an answer ended. Held back until the call is settled if the caller is told the cost along with it. */
  readonly isClosing?: boolean;
};

type ChatBatches = {
  [Symbol.asyncIterator](): AsyncIterator<readonly ChatEvent[], void> & {
    /** The answer is complete and only its usage is still to come: `finish` follows within seconds. */
    readonly isEnding?: boolean;
  };
};

export type TextProvider = {
  /**
   * Throws a ProviderFailure if it can never serve this client body, before credits are held. Looks only at the fields,
   * not into messages. `chat` and `answer` refuse the same.
   */
  check?(upstreamModel: string, wire: WireRequest): void;
  /**
   * Yields events that arrived together as one batch, never empty: one loop turn per event would cost more than the
   * event itself. Ends by returning after `finish`, by a ProviderFailure, or by the signal's reason.
   */
  chat(upstreamModel: string, request: ChatRequest, context: CallContext): ChatBatches;
  /**
   * The whole answer to an `inOnePiece` request, `finish` last: what `chat` would yield in one batch, without the cost
   * of a stream. Optional; providers without it are called through `chat`.
   */
  answer?(upstreamModel: string, request: ChatRequest, context: CallContext): Promise<readonly ChatEvent[]>;
  /** What to do when the client disconnects: stop the call, or read it to the end because it is billed anyway. */
  readonly onDisconnect: "stop" | "drain";
  /** Its server silently drops the oldest messages if there are too many. */
  readonly dropsMessages?: boolean;
  /** The output limit does not include its models' reasoning. */
  readonly thinksBeyondLimit?: boolean;
  /** Sends whatever is in an image part as it is, and does not convert files to text. */
  readonly sendsAsWritten?: boolean;
  /** How this model's cache of prompts is asked for, if it does not fill by itself. */
  cachesBy?(upstreamModel: string): "marks" | "key" | null;
  /** Whether it converts files in tool results to text even so; `wire` is the caller's own, if it has one. */
  writesOutResults?(wire: WireRequest | undefined): boolean;
};
