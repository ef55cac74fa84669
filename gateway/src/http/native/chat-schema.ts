import { z } from "zod";
import { modelField } from "../fields/model-id.ts";
import { chargeShape } from "../fields/paid-fields.ts";
import { nameSchemas } from "../route.ts";

const LIMIT_ACCEPTS =
  "must be a whole number from 1 to the model's limit (GET api-v1-models: max_output_tokens)";

/** No model writes more. */
const MAX_TOKENS = 2 ** 31 - 1;

/** The request's fields. Unknown fields are ignored, and an optional field that is null counts as absent. */
export function chatBodySchema(maxMessages: number) {
  const list = `must be a list of 1 to ${maxMessages} messages`;
  return z.object(
    {
      model: modelField("Id or alias of a text model."),
      messages: z
        .array(chatMessage, { error: list })
        .min(1, { error: list })
        .max(maxMessages, { error: list })
        .describe("The whole conversation, oldest first. The service keeps nothing between calls."),
      stream: z
        .boolean({ error: "must be true or false" })
        .nullish()
        .describe("True for server-sent events: connection_established, content, then done or error."),
      max_tokens: z
        .int({ error: LIMIT_ACCEPTS })
        .min(1, { error: LIMIT_ACCEPTS })
        .meta({ maximum: MAX_TOKENS })
        .nullish()
        .describe("Maximum number of tokens in the reply, up to the model's limit."),
    },
    { error: "must be a JSON object" },
  );
}

const chatMessage = z.object(
  {
    role: z.enum(["system", "user", "assistant"], { error: "must be one of system, user, assistant" }),
    content: z.string({ error: "must be a string" }),
  },
  { error: "must be an object with role and content" },
);

export const chatReplySchema = z.strictObject({
  request_id: z.uuid(),
  model: z.string().describe("Catalog id of the model that served the call, even if an alias was sent."),
  message: z.strictObject({ role: z.literal("assistant"), content: z.string() }),
  finish_reason: z.enum(["stop", "length", "content_filter"]),
  usage: z.strictObject({ input_tokens: z.int(), output_tokens: z.int() }),
  ...chargeShape,
});

nameSchemas({ ChatMessage: chatMessage });
