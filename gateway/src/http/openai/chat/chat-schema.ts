import { z } from "zod";
import { chargeShape } from "../../fields/paid-fields.ts";
import { nameSchemas } from "../../route.ts";

/** Replies and chunks as we promise them: our tests fail on any field that is not listed. */

const FINISH_REASONS = ["stop", "length", "tool_calls", "content_filter", "function_call"] as const;

const topLogprob = {
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.int()).nullable(),
};

const tokenLogprob = z.strictObject({ ...topLogprob, top_logprobs: z.array(z.strictObject(topLogprob)) });

const logprobs = z.strictObject({
  content: z.array(tokenLogprob).nullable(),
  refusal: z.array(tokenLogprob).nullable(),
});

const usage = z.strictObject({
  prompt_tokens: z.int().describe("Cached tokens included."),
  completion_tokens: z.int().describe("Reasoning tokens included."),
  total_tokens: z.int(),
  prompt_tokens_details: z.strictObject({
    cached_tokens: z.int(),
    cache_write_tokens: z.int(),
    audio_tokens: z.int(),
  }),
  completion_tokens_details: z.strictObject({
    reasoning_tokens: z.int(),
    audio_tokens: z.int(),
    accepted_prediction_tokens: z.int(),
    rejected_prediction_tokens: z.int(),
  }),
});

const functionCall = z.strictObject({ name: z.string(), arguments: z.string().describe("JSON.") });

const toolCall = z.discriminatedUnion("type", [
  z.strictObject({ id: z.string(), type: z.literal("function"), function: functionCall }),
  z.strictObject({
    id: z.string(),
    type: z.literal("custom"),
    custom: z.strictObject({ name: z.string(), input: z.string() }),
  }),
]);

const annotation = z.looseObject({ type: z.string() });

const message = z.strictObject({
  role: z.literal("assistant"),
  content: z.string().nullable(),
  refusal: z.string().nullable(),
  reasoning_content: z.string().optional().describe("The model's reasoning, if its provider returns it."),
  tool_calls: z.array(toolCall).min(1).optional(),
  function_call: functionCall.optional().describe("For requests with the older `functions`."),
  annotations: z.array(annotation).optional(),
  audio: z.null().optional(),
});

const choice = z.strictObject({
  index: z.int(),
  message,
  logprobs: logprobs.nullable(),
  finish_reason: z.enum(FINISH_REASONS),
});

/** Fields that an upstream of this wire may add. */
const upstreamExtras = {
  system_fingerprint: z.string().nullish(),
  service_tier: z.string().nullish(),
};

export const chatCompletionSchema = z.strictObject({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  choices: z.array(choice).min(1),
  usage,
  ...upstreamExtras,
  ...chargeShape,
});

const toolCallDelta = z.strictObject({
  index: z.int().describe("Counts the calls of an answer from 0."),
  id: z.string().min(1).optional().describe("In the call's first delta, with type and name; never again."),
  type: z.enum(["function", "custom"]).optional(),
  function: z
    .strictObject({ name: z.string().min(1).optional(), arguments: z.string().optional() })
    .optional(),
  custom: z.strictObject({ name: z.string().min(1).optional(), input: z.string().optional() }).optional(),
});

const delta = z.strictObject({
  role: z.literal("assistant").optional(),
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(toolCallDelta).min(1).optional(),
  function_call: z.strictObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
  annotations: z.array(annotation).optional(),
});

export const chatChunkSchema = z.strictObject({
  id: z.string(),
  object: z.literal("chat.completion.chunk"),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.strictObject({
      index: z.int(),
      delta,
      logprobs: logprobs.nullish(),
      finish_reason: z.enum(FINISH_REASONS).nullable(),
    }),
  ),
  usage: usage.nullish(),
  ...upstreamExtras,
  ...z.object(chargeShape).partial().shape,
});

export type ChatChunk = z.output<typeof chatChunkSchema>;

nameSchemas({
  TokenLogprob: tokenLogprob,
  ChatCompletionUsage: usage,
  FunctionCall: functionCall,
  ChatCompletionMessage: message,
  ChatCompletionChoice: choice,
  ToolCallDelta: toolCallDelta,
  ChatCompletionDelta: delta,
  ChatCompletionChunk: chatChunkSchema,
});
