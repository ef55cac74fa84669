import type { FreeQuestion } from "../contract.ts";
import { type ImageHabits, SIZED_IMAGES } from "./media/images-habits.ts";
import { MP3_SPEECH, type SpeechHabits } from "./media/speech-habits.ts";
import type { ModelEfforts } from "./model-efforts.ts";

/** The limit of an answer has two names on this wire, and some servers ignore or refuse one of them. */
type LimitField = "max_tokens" | "max_completion_tokens";

/** One server's habits, as data: what a config object cannot say does not belong to a vendor. */
export type WireVendor = {
  /** Null where the operator must say it. */
  readonly baseUrl: string | null;
  readonly auth: "bearer" | "api-key";
  /** `deployment` puts the model and an API version into the address when the operator gives a version. */
  readonly route: "plain" | "deployment";
  readonly limitField: LimitField;
  /** Models that take only `max_completion_tokens`, whatever `limitField` says. */
  readonly completionLimitModels: RegExp | null;
  /** Models that refuse `temperature` and `top_p`: they are left out. */
  readonly fixedSamplingModels: RegExp | null;
  /** Of those, models that take them while they do not think. */
  readonly unthinkingSamplingModels: RegExp | null;
  /** Models that do not think unless they are told how hard. */
  readonly unthinkingModels: RegExp | null;
  /** Models that refuse a penalty for what was said before, one of 0 too: they are left out. */
  readonly unpenalizedModels: RegExp | null;
  /** Models that know `developer`; everywhere else it becomes `system`. */
  readonly developerModels: RegExp | null;
  /** Models that never think and refuse to be told how hard: it is left out. */
  readonly thoughtlessModels: RegExp | null;
  /** Models whose thoughts come encrypted in a response, if that is asked for. */
  readonly encryptingModels: RegExp | null;
  /** Models that search the web with every answer, at their price: a client may say how. */
  readonly searchModels: RegExp | null;
  /** Searches what a client names in `data_sources`; no other server knows them. */
  readonly searchesOwnData: boolean;
  /** Takes `stream_options.include_usage`. The others report usage unasked, or refuse the field. */
  readonly asksForUsage: boolean;
  /** Knows `response_format: json_schema`. Otherwise it is asked for JSON, and the schema stands in the prompt. */
  readonly jsonSchema: boolean;
  /**
   * Refuses any `response_format` beside a stream and beside tools: it is asked without a stream then, and beside tools
   * the form stands in the prompt.
   */
  readonly formsAlone: boolean;
  /** Keywords that are taken out of JSON schemas, at any depth. */
  readonly schemaDrops: readonly string[];
  readonly effortAs: "reasoning_effort" | "reasoning";
  /** Whatever a client says of how to think goes on: nobody knows which of the two ways the server takes. */
  readonly effortAsGiven: boolean;
  /** Models that know only some words for how hard to think, by the first entry that fits; all others get what is said. */
  readonly modelEfforts: readonly ModelEfforts[];
  readonly seedField: "seed" | "random_seed";
  /**
   * In what form a model gets its own earlier reasoning back; null where it is refused or of no use. Where nobody
   * knows, a client of the same wire does: what it sends goes on `as_given`, and of what clients of another wire send
   * what this very server has said.
   */
  readonly reasoningEcho:
    | "reasoning_content"
    | "reasoning"
    | "reasoning_details"
    | "thinking_parts"
    | "as_given"
    | null;
  /**
   * What it takes for thoughts that nobody kept, and in which turns of a conversation with tool calls it asks for them;
   * null where it does not.
   */
  readonly lostThoughts: { readonly of: "every turn" | "turns with calls"; readonly as: "" | " " } | null;
  /** Ids of tool calls that it takes; others are replaced by a digest that fits. */
  readonly toolCallId: "any" | "short" | "nine_alphanumerics";
  /** Takes a last turn of the model's only with a mark that it begins the answer (`prefix`). */
  readonly marksBegunAnswer: boolean;
  /** Asks for the parameters of every function, of one that has none too. */
  readonly asksForParameters: boolean;
  /** Tool results may be lists of text parts; elsewhere they are joined. */
  readonly toolResultParts: boolean;
  /**
   * Where it takes pictures and documents that tools gave back: within their results, or behind all results of a turn, in
   * a user's message, perhaps pictures alone. Null where neither is known: they are only named.
   */
  readonly resultMedia: "within" | "behind" | "pictures behind" | null;
  /** Roles whose content must be one text: parts of text are joined. */
  readonly joinsTextOf: readonly string[];
  /** Fields of a message that it knows, where others are refused; null where they do no harm. */
  readonly messageFields: readonly string[] | null;
  /** Beside its content, fields of a part of a message that it knows, where others are refused; null where they do no harm. */
  readonly partFields: readonly string[] | null;
  /** Knows a choice among some of the tools (`allowed_tools`); elsewhere the others are left out. */
  readonly allowedTools: boolean;
  /** Knows tools that take any text (`custom`); elsewhere they become functions. */
  readonly customTools: boolean;
  /** How a document is called in a message. */
  readonly filePart: "file" | "document_url" | "file_url";
  /** Reports cached tokens of a prompt of its own, so that more are cached than were sent. */
  readonly cachesBeyondPrompt: boolean;
  /** Fields of the wire that it refuses and whose absence does no harm. */
  readonly dropsFields: readonly string[];
  /** Serves `/responses` too; otherwise such requests become chat completions. */
  readonly speaksResponses: boolean;
  /** The tools that it knows there; a request with others becomes a chat completion. */
  readonly responsesTools: "any" | "functions";
  /**
   * Models that refuse tools in a chat completion, those unless they are told not to think, these as soon as they are
   * told how hard. Such a request becomes a response.
   */
  readonly toolsAsResponse: { readonly unlessNone: RegExp; readonly withEffort: RegExp } | null;
  /** Fields of a request there that it refuses and whose absence does no harm. */
  readonly responsesDrops: readonly string[];
  /** What is asked to try address and key; null where nobody knows of anything free. */
  readonly trial: Trial | null;
  readonly onDisconnect: "stop" | "drain";
  /** Drops the oldest messages where they become too many, without being asked to. */
  readonly dropsMessages: boolean;
  /** The limit is of what is said alone: a model that thinks does so as long as it likes. */
  readonly thinksBeyondLimit: boolean;
  /** Null where it makes no pictures. */
  readonly images: ImageHabits | null;
  /** Null where it does not speak. */
  readonly speech: SpeechHabits | null;
};

type Trial = { readonly path: string } & Pick<FreeQuestion, "provesKey" | "listsModels">;

const LIST: Trial = { path: "/models", provesKey: true, listsModels: true };
/** It leaves some out, or gives names that nobody may ask by. */
export const PARTIAL_LIST: Trial = { ...LIST, listsModels: false };

/** What most servers of this wire share; a vendor says only where it differs. */
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
  schemaDrops: ["$schema"],
  effortAs: "reasoning_effort",
  effortAsGiven: false,
  modelEfforts: [],
  seedField: "seed",
  reasoningEcho: "as_given",
  lostThoughts: null,
  toolCallId: "any",
  marksBegunAnswer: false,
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
  dropsFields: [],
  speaksResponses: false,
  responsesTools: "any",
  toolsAsResponse: null,
  responsesDrops: [],
  trial: LIST,
  onDisconnect: "stop",
  dropsMessages: false,
  thinksBeyondLimit: false,
  images: SIZED_IMAGES,
  speech: MP3_SPEECH,
};

/** For servers that are known to have nothing but conversations. */
export const TEXT_ONLY = { images: null, speech: null } as const satisfies Partial<WireVendor>;

export function wireVendor(differences: Partial<WireVendor>): WireVendor {
  return Object.freeze({ ...ORDINARY, ...differences });
}
