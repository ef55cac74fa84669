import type { z } from "zod";
import { checkFields } from "../fields/check-fields.ts";
import type { chatBodySchema } from "./chat-schema.ts";

type ChatSchema = ReturnType<typeof chatBodySchema>;
type ChatFields = z.output<ChatSchema>;

type Members = Readonly<Record<string, unknown>>;

/**
 * The request's fields, as the schema describes them. An ordinary request is recognised by hand, at a tenth of the
 * schema's cost. The schema accepts any other, or refuses it with a message.
 */
export function chatFields(schema: ChatSchema, maxMessages: number, body: unknown): ChatFields {
  return isOrdinary(body, maxMessages) ? body : checkFields(schema, body);
}

function isOrdinary(body: unknown, maxMessages: number): body is ChatFields {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  const { model, messages, stream, max_tokens: limit } = body as Members;
  return (
    typeof model === "string" &&
    model.length > 0 &&
    (stream === undefined || typeof stream === "boolean") &&
    (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 1)) &&
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.length <= maxMessages &&
    messages.every(isOrdinaryMessage)
  );
}

/** Exactly two members: a third would have to be removed before the message is passed on. */
function isOrdinaryMessage(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { role, content } = message as Members;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" && Object.keys(message).length === 2;
}
