import { z } from "zod";
import { MAX_CHOICES } from "../../../catalog/index.ts";
import { nameSchemas } from "../../route.ts";
import { TOKENS } from "../request-fields.ts";

/**
 * The request as the API reference shows it. Requests are not validated with it, since clients send more fields, in
 * more forms, than any schema of this wire allows; chat-decode.ts decides what is refused.
 */
export function chatRequestSchema(maxMessages: number) {
  return z.looseObject({
    model: z.string().min(1).describe("Id or alias of a text model."),
    messages: z
      .array(chatMessage)
      .min(1)
      .max(maxMessages)
      .describe("The whole conversation, oldest first. The service keeps nothing between calls."),
    stream: z.boolean().nullish().describe("True for chunks as server-sent events, ending with `[DONE]`."),
    stream_options: z
      .looseObject({ include_usage: z.boolean().optional() })
      .nullish()
      .describe("`include_usage` adds a last chunk with the usage, which then also carries the cost."),
    max_completion_tokens: z
      .int()
      .min(1)
      .max(TOKENS.max)
      .nullish()
      .describe("Maximum number of tokens in the reply. A value above the model's limit means that limit."),
    max_tokens: z
      .int()
      .min(1)
      .max(TOKENS.max)
      .nullish()
      .describe("The older name of `max_completion_tokens`."),
    n: z.int().min(1).max(MAX_CHOICES).nullish().describe("Number of answers. Each of them is charged."),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    stop: z.union([z.string(), z.array(z.string())]).nullish(),
    seed: z.int().nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: z
      .union([z.enum(["auto", "none", "required", "any"]), z.looseObject({ type: z.string() })])
      .nullish()
      .describe("`any` means the same as `required`."),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: z
      .looseObject({
        type: z
          .string()
          .describe("text, json_object, json_schema, or another type that the model's provider supports."),
      })
      .nullish()
      .describe("`json_schema` also takes `json_schema: {name, schema, strict}`."),
    reasoning_effort: z
      .string()
      .nullish()
      .describe(
        "none, minimal, low, medium, high, xhigh, max, or another effort that the model's provider supports.",
      ),
    logprobs: z.boolean().nullish().describe("Returned if the model's provider supports them."),
    top_logprobs: z.int().min(0).max(20).nullish(),
  });
}

const part = z.looseObject({ type: z.string().describe("text, image_url, input_audio or file.") });

const chatMessage = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(part)]).nullish(),
  tool_calls: z
    .array(z.looseObject({ id: z.string() }))
    .nullish()
    .describe("The tool calls of an assistant turn."),
  tool_call_id: z.string().nullish().describe("The call that this tool message answers."),
});
chatMessage.register(z.globalRegistry, {
  id: "ChatCompletionRequestMessage",
  if: { properties: { role: { not: { const: "tool" } } } },
  else: { properties: { tool_call_id: { type: "string", minLength: 1 } }, required: ["tool_call_id"] },
});

const tool = z.looseObject({
  type: z.string().describe("function or custom."),
  function: z
    .looseObject({
      name: z.string(),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish().describe("A JSON schema."),
      strict: z.boolean().nullish(),
    })
    .optional(),
});

export const CHAT_REQUEST_EXAMPLE = {
  messages: [{ role: "user", content: "Say hello in three languages." }],
  max_completion_tokens: 256,
};

nameSchemas({ ContentPart: part, ChatCompletionTool: tool });
