import { isObject, looksEncrypted } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";

/**
 * What one agent of the client's tells another, as the content of a message. Its words may stand where the service that
 * this wire is from encrypts them, and there they are words as long as another service has answered. Null where they
 * are encrypted, where there are none, and where there is anything else.
 */
export function agentContent({ content }: JsonObject): readonly unknown[] | null {
  if (!Array.isArray(content)) return null;
  const said = content.map(wordsIn);
  if (said.includes(null) || said.every((words) => words === "")) return null;
  return said.map((text) => ({ type: "input_text", text }));
}

/** Null where it is no text, or one that nobody here can read. */
function wordsIn(part: unknown): string | null {
  if (!isObject(part)) return null;
  const { type, text, encrypted_content: hidden } = part;
  if (type === "input_text" || type === "output_text") return typeof text === "string" ? text : null;
  if (type !== "encrypted_content" || typeof hidden !== "string") return null;
  return looksEncrypted(hidden) ? null : hidden;
}
