import type { FreeQuestion } from "../../contract/index.ts";
import type { Fields } from "../../wires/index.ts";
import { type ImageHabits, SIZED_IMAGES } from "./media/images-habits.ts";
import { MP3_SPEECH, type SpeechHabits } from "./media/speech-habits.ts";
import type { ModelEfforts } from "./model-efforts.ts";

/** The output limit has two names on this wire, and some servers ignore or refuse one of them. */
type LimitField = "max_tokens" | "max_completion_tokens";

/** One server's habits, as data: anything that a config object cannot express does not belong to a vendor. */
export type WireVendor = {
  /** Null if the operator must configure it. */
  readonly baseUrl: string | null;
  readonly auth: "bearer" | "api-key";
  /** `deployment` puts the model and the API version into the URL if the operator sets a version. */
  readonly route: "plain" | "deployment";
  readonly limitField: LimitField;
  /** Models that accept only `max_completion_tokens`, whatever `limitField` says. */
  readonly completionLimitModels: RegExp | null;
  /** Models that refuse `temperature` and `top_p`: these are left out. */
  readonly fixedSamplingModels: RegExp | null;
  /** Those of `fixedSamplingModels` that accept them while they do not reason. */
  readonly unthinkingSamplingModels: RegExp | null;
  /** Models that do not reason unless an effort is set. */
  readonly unthinkingModels: RegExp | null;
  /** Models that refuse presence and frequency penalties, even 0: these are left out. */
  readonly unpenalizedModels: RegExp | null;
  /** Models that know the role `developer`; for all others it becomes `system`. */
  readonly developerModels: RegExp | null;
  /** Models that never reason and refuse an effort: it is left out. */
  readonly thoughtlessModels: RegExp | null;
  /** Models that return encrypted reasoning in a response, on request. */
  readonly encryptingModels: RegExp | null;
  /** Models that search the web for every answer, included in their price: a client may say how. */
  readonly searchModels: RegExp | null;
  /** Searches what a client names in `data_sources`; no other server knows that field. */
  readonly searchesOwnData: boolean;
  /** Accepts `stream_options.include_usage`. Others report usage without it, or refuse the field. */
  readonly asksForUsage: boolean;
  /** Supports `response_format: json_schema`. Otherwise JSON is requested, and the schema goes into the prompt. */
  readonly jsonSchema: boolean;
  /**
   * Refuses any `response_format` together with a stream or with tools: then it is called without a stream, and beside
   * tools the format goes into the prompt.
   */
  readonly formsAlone: boolean;
  /** The largest output limit, in tokens, for which it accepts a call without a stream. Null if it does not matter. */
  readonly mostInOnePiece: number | null;
  /** Keywords that are removed from JSON schemas, at any depth. */
  readonly schemaDrops: readonly string[];
  /** Refuses schemas with a type beside `anyOf`, lists of schemas for `items` and schemas that are only true or false. */
  readonly typesInChoices: boolean;
  /** Models that refuse a forced call while they reason, and the field that tells them not to. */
  readonly unforcedThinking: { readonly models: RegExp; readonly off: Fields } | null;
  readonly effortAs: "reasoning_effort" | "reasoning";
  /** Whatever a client says about effort is passed on: it is unknown which of the two fields the server takes. */
  readonly effortAsGiven: boolean;
  /** Models that accept only some efforts; the first matching entry counts. All others get what the client says. */
  readonly modelEfforts: readonly ModelEfforts[];
  readonly seedField: "seed" | "random_seed";
  /**
   * The form in which a model gets its own earlier reasoning back; null if it is refused or useless. If that is
   * unknown, a client of the same wire knows: what it sends is passed on `as_given`, and from clients of another wire
   * only what this server itself has said.
   */
  readonly reasoningEcho:
    | "reasoning_content"
    | "reasoning"
    | "reasoning_details"
    | "thinking_parts"
    | "as_given"
    | null;
  /**
   * What it accepts in place of reasoning that nobody kept, and in which turns of a conversation with tool calls it
   * requires this; null if it does not.
   */
  readonly lostReasoning: { readonly of: "every turn" | "turns with calls"; readonly as: "" | " " } | null;
  /** Tool call ids that it accepts; others are replaced by a digest that fits. */
  readonly toolCallId: "any" | "short" | "nine_alphanumerics";
  /**
   * Parses the arguments of earlier calls, and refuses a conversation in which any are not a JSON object: those are
   * wrapped in one.
   */
  readonly parsesArguments: boolean;
  /** Refuses an assistant turn without text or calls: it is left out. */
  readonly refusesEmptyTurns: boolean;
  /** Accepts a final assistant turn only with a marker that the answer begins with it (`prefix`). */
  readonly marksBegunAnswer: boolean;
  /**
   * Which order of messages it accepts: `early instructions` stand first or behind a user message; with `alternating`
   * they stand first, and then user and model take turns. With `one instruction` they are a single, first message.
   */
  readonly turnOrder: "any" | "early instructions" | "alternating" | "one instruction";
  /** Requires `parameters` for every function, even one that has none. */
  readonly asksForParameters: boolean;
  /** Tool results may be lists of text parts; for others they are joined. */
  readonly toolResultParts: boolean;
  /**
   * Where it accepts images and documents from tools: within the results, or after all results of a turn in a user
   * message, perhaps images only. Null if neither is known: then they are only named.
   */
  readonly resultMedia: "within" | "behind" | "pictures behind" | null;
  /** Roles whose content must be a single string: text parts are joined. */
  readonly joinsTextOf: readonly string[];
  /** Message fields that it knows, if it refuses others; null if others do no harm. */
  readonly messageFields: readonly string[] | null;
  /** Fields of a message part, besides its content, that it knows, if it refuses others; null if others do no harm. */
  readonly partFields: readonly string[] | null;
  /** Supports a choice among some of the tools (`allowed_tools`); for others the rest of the tools is left out. */
  readonly allowedTools: boolean;
  /** Supports tools that take free text (`custom`); for others these become functions. */
  readonly customTools: boolean;
  /** How it expects a document in a message. */
  readonly filePart: "file" | "document_url" | "file_url";
  /** Its cached tokens may include those of a prompt of its own, so that they exceed the input. */
  readonly cachesBeyondPrompt: boolean;
  /** Models of which it caches what is marked with `cache_control`, and nothing else; null if there are none. */
  readonly markedModels: RegExp | null;
  /** Finds more of what it has cached by a `prompt_cache_key`. */
  readonly takesCacheKey: boolean;
  /** Keeps one cache of prompts for everybody who calls it, unless they send different salts. */
  readonly saltsCache: boolean;
  /** Fields of the wire that it refuses and that can safely be left out. */
  readonly dropsFields: readonly string[];
  /** Serves `/responses` as well; otherwise such requests become chat completions. */
  readonly speaksResponses: boolean;
  /** The tools that it knows there; a request with others becomes a chat completion. */
  readonly responsesTools: "any" | "functions";
  /**
   * Models that refuse tools in a chat completion: `unlessNone` unless the effort is `none`, `withEffort` as soon as
   * any effort is set. Such a request is sent as a Responses request.
   */
  readonly toolsAsResponse: { readonly unlessNone: RegExp; readonly withEffort: RegExp } | null;
  /** Fields of a Responses request that it refuses and that can safely be left out. */
  readonly responsesDrops: readonly string[];
  /** The request that tests URL and key; null if no free one is known. */
  readonly trial: Trial | null;
  readonly onDisconnect: "stop" | "drain";
  /**
   * Finish reasons of failed answers by which it means a stop because of the content, unless an error or the finish
   * reason of the model's own server stands beside it.
   */
  readonly contentEndings: readonly string[];
  /** Silently drops the oldest messages if there are too many. */
  readonly dropsMessages: boolean;
  /** The output limit does not cover reasoning, which may be of any length. */
  readonly thinksBeyondLimit: boolean;
  /** Null if it makes no images. */
  readonly images: ImageHabits | null;
  /** Null if it offers no speech. */
  readonly speech: SpeechHabits | null;
};

type Trial = { readonly path: string } & Pick<FreeQuestion, "provesKey" | "listsModels">;

const LIST: Trial = { path: "/models", provesKey: true, listsModels: true };
/** The list lacks some models, or has names that cannot be called. */
export const PARTIAL_LIST: Trial = { ...LIST, listsModels: false };

/** What most servers of this wire share; a vendor states only its differences. */
const ORDINARY: WireVendor = {
  baseUrl: null,
  auth: "bearer",
  route: "plain",
  limitField: "max_tokens",
  completionLimitModels: null,
  fixedSamplingModels: null,
  unthinkingSamplingModels: null,
  unthinkingModels: null,
  unpenalizedModels: null,
  developerModels: null,
  thoughtlessModels: null,
  encryptingModels: null,
  searchModels: null,
  searchesOwnData: false,
  asksForUsage: true,
  jsonSchema: true,
  formsAlone: false,
  mostInOnePiece: null,
  schemaDrops: ["$schema"],
  typesInChoices: false,
  unforcedThinking: null,
  effortAs: "reasoning_effort",
  effortAsGiven: false,
  modelEfforts: [],
  seedField: "seed",
  reasoningEcho: "as_given",
  lostReasoning: null,
  toolCallId: "any",
  // Most run the same few open servers, whose chat templates need an object; nobody refuses one.
  parsesArguments: true,
  refusesEmptyTurns: false,
  marksBegunAnswer: false,
  turnOrder: "any",
  asksForParameters: false,
  toolResultParts: false,
  resultMedia: "pictures behind",
  joinsTextOf: [],
  messageFields: null,
  partFields: null,
  allowedTools: false,
  customTools: false,
  filePart: "file",
  cachesBeyondPrompt: false,
  markedModels: null,
  takesCacheKey: false,
  saltsCache: false,
  dropsFields: [],
  speaksResponses: false,
  responsesTools: "any",
  toolsAsResponse: null,
  responsesDrops: [],
  trial: LIST,
  onDisconnect: "stop",
  contentEndings: [],
  dropsMessages: false,
  thinksBeyondLimit: false,
  images: SIZED_IMAGES,
  speech: MP3_SPEECH,
};

/** For servers that are known to offer chat only. */
export const TEXT_ONLY = { images: null, speech: null } as const satisfies Partial<WireVendor>;

export function wireVendor(differences: Partial<WireVendor>): WireVendor {
  return Object.freeze({ ...ORDINARY, ...differences });
}
