import { z } from "zod";
import { chargeShape } from "../../fields/paid-fields.ts";
import { nameSchemas } from "../../route.ts";
import { TOKENS } from "../request-fields.ts";

/** The reply as strict clients of this wire expect it: a key without a value is null rather than absent. */
const status = z.enum(["in_progress", "completed", "incomplete"]);
const logprob = { token: z.string(), logprob: z.number(), bytes: z.array(z.int()) };

const outputText = z.strictObject({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.looseObject({ type: z.string() })),
  logprobs: z
    .array(z.strictObject({ ...logprob, top_logprobs: z.array(z.strictObject(logprob)) }))
    .optional()
    .describe("Some providers leave it out."),
});

const refusal = z.strictObject({ type: z.literal("refusal"), refusal: z.string() });

const message = z.strictObject({
  type: z.literal("message"),
  id: z.string(),
  status,
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [outputText, refusal])),
});

const callNames = {
  id: z.string(),
  status,
  call_id: z.string().describe("Send it back unchanged: a provider's signature may be sealed in it."),
  name: z.string(),
  namespace: z.string().optional().describe("Namespace of the tool, if it was offered in one."),
};

const functionCall = z.strictObject({
  type: z.literal("function_call"),
  ...callNames,
  arguments: z.string().describe("JSON, as a string."),
});

const customToolCall = z.strictObject({
  type: z.literal("custom_tool_call"),
  ...callNames,
  input: z.string(),
});

const toolSearchCall = z.strictObject({
  type: z.literal("tool_search_call"),
  id: z.string(),
  status,
  call_id: callNames.call_id,
  execution: z.literal("client"),
  arguments: z.unknown().describe("As defined by the search tool's parameters."),
});

const reasoning = z.strictObject({
  type: z.literal("reasoning"),
  id: z.string(),
  summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
  content: z
    .array(z.strictObject({ type: z.literal("reasoning_text"), text: z.string() }))
    .optional()
    .describe("The same as in the summary, if the provider returns its reasoning as text."),
  encrypted_content: z
    .string()
    .optional()
    .describe("Sealed. Send the item back with the next turn, so that the model keeps its reasoning."),
});

const usage = z.strictObject({
  input_tokens: z.int(),
  input_tokens_details: z.strictObject({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.strictObject({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
});

const format = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    name: z.string(),
    description: z.string().optional(),
    schema: z.looseObject({}),
    strict: z.boolean(),
  }),
]);

/** The settings of the request, repeated with defaults for those that were left out. */
const settings = {
  instructions: z.string().nullable(),
  previous_response_id: z.null().describe("Nothing is kept between calls."),
  max_output_tokens: z.int().nullable().describe("At most the model's limit, even if more was requested."),
  max_tool_calls: z.int().nullable(),
  tools: z.array(z.looseObject({ type: z.string() })),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
  parallel_tool_calls: z.boolean(),
  text: z.strictObject({ format, verbosity: z.string() }),
  reasoning: z.strictObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
  temperature: z.number(),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  truncation: z.enum(["auto", "disabled"]),
  store: z.literal(false).describe("Always false: nothing is stored."),
  background: z.literal(false),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
  user: z.string().optional(),
};

export const responseReplySchema = z.strictObject({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(["completed", "incomplete", "failed", "in_progress"]),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.strictObject({ reason: z.enum(["max_output_tokens", "content_filter"]) }).nullable(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  output: z.array(
    z.discriminatedUnion("type", [message, functionCall, customToolCall, toolSearchCall, reasoning]),
  ),
  usage,
  ...settings,
  ...chargeShape,
});

const FLAG = z.boolean({ error: "must be true or false" }).nullish();
const TEXT = z.string({ error: "must be a string" }).nullish();
const OBJECT = { error: "must be an object" };
const FORMAT_TYPE = z.string({ error: "must be one of text, json_object, json_schema" });

function range(min: number, max: number) {
  const error = `must be a number from ${min} to ${max}`;
  return z.number({ error: "must be a number" }).min(min, { error }).max(max, { error }).nullish();
}

function wholeRange(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).nullish();
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

/** What a request sets besides its model, its input and its tools. The reply repeats all of it but `include`. */
export const settingsSchema = z.object({
  max_output_tokens: wholeRange(TOKENS.min, TOKENS.max).describe(
    "Maximum number of tokens in the reply. A value above the model's limit means that limit.",
  ),
  instructions: TEXT.describe("Placed before the input as a system message."),
  text: z
    .looseObject({ format: z.looseObject({ type: FORMAT_TYPE }, OBJECT).nullish(), verbosity: TEXT }, OBJECT)
    .nullish()
    .describe("`format` requests JSON, with or without a schema."),
  reasoning: z.looseObject({ effort: TEXT, summary: TEXT }, OBJECT).nullish(),
  include: z
    .array(z.unknown(), { error: "must be a list" })
    .refine(areTexts, { error: "must be a list of strings" })
    .meta({ items: { type: "string" } })
    .nullish()
    .describe("`reasoning.encrypted_content` returns the model's reasoning, sealed, for the next turn."),
  parallel_tool_calls: FLAG,
  max_tool_calls: wholeRange(1, 2 ** 31 - 1),
  temperature: range(0, 2),
  top_p: range(0, 1),
  presence_penalty: range(-2, 2),
  frequency_penalty: range(-2, 2),
  top_logprobs: wholeRange(0, 20),
  truncation: z.enum(["auto", "disabled"], { error: "must be auto or disabled" }).nullish(),
  metadata: z
    .record(z.string(), z.unknown(), OBJECT)
    .refine((entries) => areTexts(Object.values(entries)), {
      error: "must be an object whose values are strings",
    })
    .meta({ additionalProperties: { type: "string" } })
    .nullish(),
  user: TEXT,
  safety_identifier: TEXT,
  prompt_cache_key: TEXT,
});

/** For the API reference: what settings there are besides is decoded by hand, and unknown fields are allowed. */
export const responseBodySchema = z.looseObject({
  model: z.string().min(1).describe("Id or alias of a text model."),
  input: z
    .union([z.string(), z.array(z.looseObject({})).min(1)])
    .describe(
      "The whole conversation: a text, or a list of items (messages, function calls and their outputs, reasoning). Nothing is kept between calls.",
    ),
  stream: z.boolean().nullish().describe("True for server-sent events."),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .nullish()
    .describe(
      "Functions, custom tools, namespaces of both, and a `tool_search` that the client runs. Tools that only another service can run are left out, except `mcp` and `file_search`, which are refused.",
    ),
  tool_choice: settings.tool_choice.nullish(),
  // Viewers would show their least value, which is negative, as the example.
  ...settingsSchema.omit({ presence_penalty: true, frequency_penalty: true }).shape,
  store: z.boolean().nullish().describe("Accepted; the reply always says false."),
});

nameSchemas({
  OutputText: outputText,
  OutputRefusal: refusal,
  OutputMessage: message,
  FunctionCallItem: functionCall,
  CustomToolCallItem: customToolCall,
  ToolSearchCallItem: toolSearchCall,
  ReasoningItem: reasoning,
  ResponseUsage: usage,
});
