/** The limit of an answer has two names on this wire, and some servers ignore or refuse one of them. */
export type LimitField = "max_tokens" | "max_completion_tokens";

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
  /** Models that know `developer`; everywhere else it becomes `system`. */
  readonly developerModels: RegExp | null;
  /** Takes `stream_options.include_usage`. The others report usage unasked, or refuse the field. */
  readonly asksForUsage: boolean;
  /** Knows `response_format: json_schema`. Otherwise it is asked for JSON, and the schema stands in the prompt. */
  readonly jsonSchema: boolean;
  /** Keywords that are taken out of JSON schemas, at any depth. */
  readonly schemaDrops: readonly string[];
  readonly effortAs: "reasoning_effort" | "reasoning";
  readonly seedField: "seed" | "random_seed";
  /** In what form a model gets its own earlier reasoning back; null where it is refused or of no use. */
  readonly reasoningEcho: "reasoning_content" | "reasoning" | "reasoning_details" | "thinking_parts" | null;
  /** Ids of tool calls that it takes; others are replaced by a digest that fits. */
  readonly toolCallId: "any" | "nine_alphanumerics";
  /** Tool results may be lists of text parts; elsewhere they are joined. */
  readonly toolResultParts: boolean;
  /** How a document is called in a message. */
  readonly filePart: "file" | "document_url" | "file_url";
  /** Reports cached tokens of a prompt of its own, so that more are cached than were sent. */
  readonly cachesBeyondPrompt: boolean;
  /** Fields of the wire that it refuses and whose absence does no harm. */
  readonly dropsFields: readonly string[];
  readonly onDisconnect: "stop" | "drain";
};

/** What most servers of this wire share; a vendor says only where it differs. */
const ORDINARY: WireVendor = {
  baseUrl: null,
  auth: "bearer",
  route: "plain",
  limitField: "max_tokens",
  completionLimitModels: null,
  fixedSamplingModels: null,
  developerModels: null,
  asksForUsage: true,
  jsonSchema: true,
  schemaDrops: ["$schema"],
  effortAs: "reasoning_effort",
  seedField: "seed",
  reasoningEcho: null,
  toolCallId: "any",
  toolResultParts: false,
  filePart: "file",
  cachesBeyondPrompt: false,
  dropsFields: [],
  onDisconnect: "stop",
};

export function wireVendor(differences: Partial<WireVendor>): WireVendor {
  return Object.freeze({ ...ORDINARY, ...differences });
}
