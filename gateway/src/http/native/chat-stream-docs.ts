import { z } from "zod";
import { ERROR_CODES } from "../../kit/index.ts";
import { paymentShape } from "../fields/paid-fields.ts";
import { nameSchemas } from "../route.ts";
import { chatReplySchema } from "./chat-schema.ts";

const { request_id, model } = chatReplySchema.shape;
const started = z.strictObject({ request_id, model });
const content = z.strictObject({ content: z.string() });
const done = chatReplySchema.omit({ message: true });
const failed = z.strictObject({
  error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string(), request_id }),
  ...z.object(paymentShape).partial().shape,
});
nameSchemas({ ChatStarted: started, ChatContent: content, ChatDone: done, ChatFailed: failed });

/** What the reference says about streamed chats. */
export const CHAT_STREAM = {
  about: `Server-sent events, each an \`event:\` line and one \`data:\` line of JSON:

- \`connection_established\` \`{request_id, model}\`: the call was admitted. From here on a failure is an \`error\` event.
- \`content\` \`{content}\`: text as it arrives.
- \`done\` \`{request_id, model, finish_reason, usage, credits_charged, balance, efficiency}\`: the end, sent after the charge.
- \`error\` \`{error: {code, message, request_id}}\`: instead of \`done\`; nothing was charged, unless the provider stopped because of the content after some of it: then \`credits_charged\` and \`balance\` stand beside \`error\`.

A comment (\`: keep-alive\`) is sent after some seconds of silence, 15 by default.`,
  event: z.union([started, content, done, failed]),
};
