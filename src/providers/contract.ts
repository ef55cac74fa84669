/**
 * How a model is reached, in our own words. Designed from the richer wire (tools, reasoning, n,
 * logprobs, files); the main interface's messages are a subset. No credits, no database, no Hono here.
 */
import type { CallContext } from "./call-context.ts";
import type { ImageProvider, MusicProvider, SpeechProvider, VideoProvider } from "./media/media-contract.ts";

export type { CallContext } from "./call-context.ts";

/** At the end of a part, a message or a tool. */
type CacheMark = {
  /** The caller wants everything up to here kept in the provider's cache, where that has to be asked for. */
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
  /** Where its sender put it in a picture's place: wires that have such a place are sent it there. */
  readonly writtenAs?: ImagePart;
};
/** A part that only the caller's own wire can say: others refuse it by its name. */
type OtherPart = { readonly type: "other"; readonly name: string };
export type ContentPart = TextPart | ImagePart | FilePart | OtherPart;

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
  | (CacheMark & {
      readonly role: "system" | "developer";
      readonly content: string;
      /** Where parts within this message end that are to be kept there, in characters, each before a line break. */
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
 * The caller's own request, in a wire that some providers speak themselves. Such a provider sends it on as it
 * is, but for what we decide (model, limit, stream, priced fields) and its own repairs, and answers in `wire` events;
 * the others serve the neutral request beside it.
 */
export type WireRequest = {
  readonly kind: "chat_completions" | "responses";
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Hides what a provider has signed in the id of a tool call, which is all that clients of this wire hand back;
   * `reasoning` is what the model thought since the call before. Gives the id itself where nothing is signed.
   */
  readonly sealCallId?: (
    id: string,
    signature: string | undefined,
    reasoning?: readonly ReasoningPart[],
  ) => string;
  /** Numbers of the body that are to go out with digits that a double lost, by what they became. */
  readonly exactNumbers?: ReadonlyMap<number, string> | undefined;
  /** For encrypted reasoning and compactions, which this wire gives to clients as they are. */
  readonly reasoningMark?: ReasoningMark;
  /** The caller waits for a single reply, so a piece that says only who is speaking is of no use. */
  readonly wantsWhole?: boolean;
  /**
   * Told what goes out in this or another wire, where somebody wants to know; null before each target is asked, when
   * nothing is known, and an empty body where it goes out again without any of the earlier thoughts.
   */
  readonly onSent?: (body: Readonly<Record<string, unknown>> | null) => void;
};

/**
 * Says whose an encrypted text is: only the provider that made it understands it, and another one refuses the whole
 * conversation for it.
 */
export type ReasoningMark = {
  mark(text: string, namespace: string): string;
  /** The text as its provider made it; null where that was another one. What bears no mark is given back. */
  unmark(text: string, namespace: string): string | null;
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
  readonly wire?: WireRequest;
  /** Fields of the chat-completions wire without a neutral form: sent on as they are where the wire is the same. */
  readonly wireFields?: Readonly<Record<string, unknown>>;
};

/**
 * Usage as the provider reports it, unchecked. Input includes the cached tokens and the spoken ones, none of them counted as
 * both; output includes the reasoning ones.
 */
export type ReportedUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly audioInputTokens?: number;
  readonly reasoningTokens?: number;
};

/** What a provider says of its input before its answer is there; as unchecked as all of its usage. */
export type ReportedInput = Omit<ReportedUsage, "outputTokens" | "reasoningTokens">;

export type FinishReason = "stop" | "length" | "content_filter" | "tool_calls";

/**
 * What a text provider yields, in order; `finish` is last and comes exactly once per successful call.
 * `index` says which of the `n` answers it belongs to (absent: the first); `call` counts the tool calls of
 * its answer from 0. A call's arguments follow its start in any number of pieces and are one JSON text.
 */
export type ChatEvent =
  /** Never alone: something of the answer comes with it. Counts where no usage of the whole answer is reported. */
  | { readonly type: "input"; readonly usage: ReportedInput }
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
  /**
   * A piece of the answer as the wire of `request.wire` says it, repaired; an answer consists either of these or of
   * the neutral ones above, never of both.
   */
  | WireEvent
  /** Log probabilities of the text just sent, in the chat-completions form. */
  | { readonly type: "logprobs"; readonly content: readonly unknown[]; readonly index?: number }
  /** What the text cites, in the chat-completions form. */
  | { readonly type: "annotations"; readonly content: readonly unknown[]; readonly index?: number }
  | {
      readonly type: "finish";
      /** Of the first answer. */
      readonly reason: FinishReason;
      /** Of every answer that came, when more than one was asked for. */
      readonly reasons?: readonly FinishReason[];
      /** Of all answers together. */
      readonly usage: ReportedUsage | null;
      /** Where `usage` is null: what was reported in the midst of the words; the answer went on after it. */
      readonly usageSoFar?: ReportedUsage;
      /** The answer as one reply of `request.wire`, repaired, where that was wanted. */
      readonly whole?: Readonly<Record<string, unknown>>;
    };

/** Of the first answer: fields of its message, or the arguments of one of its calls. */
export type WordsPlace = { readonly fields: readonly string[]; readonly call: number | null };

export type WireEvent = {
  readonly type: "wire";
  /** The name of the event where the wire names them. */
  readonly event?: string;
  /**
   * The members of the event's JSON object, without its braces and without what we say ourselves: `id`, `object`,
   * `created`, `model` and `usage` of a chunk, `type` and `sequence_number` of an event of a response.
   */
  readonly members: string;
  /** What the model wrote in it (text, reasoning, arguments), for our own count of tokens. */
  readonly written: string;
  /** Where that stands; the very same of events that differ in nothing else, so that who joins them need not parse each. */
  readonly place?: WordsPlace | null;
  /** Of no answer, but of all that was said: it belongs on the last chunk, and has no `choices`. */
  readonly isBeside?: boolean;
  /** It says how an answer ended: held back until the call is settled where the caller is told the cost with it. */
  readonly isClosing?: boolean;
};

type ChatBatches = {
  [Symbol.asyncIterator](): AsyncIterator<readonly ChatEvent[], void> & {
    /** The answer has said its end, and what it cost is still to come: `finish` follows within seconds. */
    readonly isEnding?: boolean;
  };
};

export type TextProvider = {
  /**
   * Throws a ProviderFailure for what it can never serve of a client's own body, before anything is held: by the fields
   * alone, no message is looked into. `chat` and `answer` refuse the same.
   */
  check?(upstreamModel: string, wire: WireRequest): void;
  /**
   * Yields what arrived together as one batch, never an empty one: a turn of the loop per event would cost
   * more than the event. Ends by returning after `finish`, by a ProviderFailure, or by the signal's reason.
   */
  chat(upstreamModel: string, request: ChatRequest, context: CallContext): ChatBatches;
  /**
   * The whole answer of a request `inOnePiece`, `finish` last: what `chat` would yield in one batch, without the
   * cost of a stream. For providers that can; the others are asked by `chat`.
   */
  answer?(upstreamModel: string, request: ChatRequest, context: CallContext): Promise<readonly ChatEvent[]>;
  /** What becomes of a call whose client left: stopped, or read to its end because it is billed anyway. */
  readonly onDisconnect: "stop" | "drain";
  /** Its server drops the oldest messages where they become too many, without being asked to. */
  readonly dropsMessages?: boolean;
  /** The limit of an answer leaves out what its models think. */
  readonly thinksBeyondLimit?: boolean;
  /** What stands in a picture's place is sent there, whatever it is, and no file is turned into words. */
  readonly sendsAsWritten?: boolean;
  /** Whether it turns files in a tool's result into words all the same, for a caller of this wire, or of none of its own. */
  writesOutResults?(wire: WireRequest | undefined): boolean;
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
  /** Of the provider's answer, for the log. */
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** The caller asked for this failure by a sandbox directive: a circuit breaker must not count it. */
  readonly scripted?: boolean;
  /**
   * What it shows of the target, where that is not what its kind shows: `up` of a target that answered in good form,
   * though the answer is of no use (outbound/breaker.ts says which those are); `unknown` where the fault is ours.
   */
  readonly targetHealth?: "up" | "unknown";
  /** A proxy answered whose connection to the provider broke: the call may have gone out on it. */
  readonly isBrokenBehind?: true;
  /** Our account there has no credit left, or is at its spending limit: only the operator can help. */
  readonly isUnpaid?: true;
  /** There is more of the answer than our bounds allow: it did not fail, we read no further. */
  readonly isExcess?: true;
  /** Of a rejection before anybody was asked: the caller's field that this target cannot be told of, and another may. */
  readonly field?: string;
  /** Of a rejection that every target would share: the caller's field that a provider names, or that nobody can read. */
  readonly param?: string;
};

export class ProviderFailure extends Error {
  override name = "ProviderFailure";
  /** Which target failed, as soon as somebody knows: whoever asks it does, and no adapter. For the log. */
  target?: string;
  /** Something of the answer had come before it, so that nobody else is asked for another one. */
  hasBegun?: true;
  constructor(
    readonly kind: ProviderFailureKind,
    /** Already free of keys, hosts and ids, at most 300 characters. */
    readonly publicMessage: string,
    readonly detail: ProviderFailureDetail = {},
  ) {
    super(`${kind}: ${publicMessage}`);
  }
}

/** What a vendor answers without spending anything: address and key can be tried by it. */
export type FreeQuestion = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False where strangers are answered as well. */
  readonly provesKey: boolean;
  /** Whether the answer lists every model that can be asked for, by its name. */
  readonly listsModels: boolean;
};

/** What the registry holds: one entry per configured provider; a field per modality it serves. */
export type Provider = {
  readonly name: string;
  /** Absent where every question costs, or nobody knows one that does not. */
  readonly freeQuestion?: FreeQuestion;
  readonly text?: TextProvider;
  readonly image?: ImageProvider;
  readonly speech?: SpeechProvider;
  readonly music?: MusicProvider;
  readonly video?: VideoProvider;
};
