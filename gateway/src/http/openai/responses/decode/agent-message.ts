import { isObject, looksEncrypted } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";

/**
 * The text that one of the client's agents sends to another, as the content of a message. It may be in
 * `encrypted_content`: the original service of this wire encrypts it there, but if another service has answered it is
 * plain text. Null if any part is encrypted or is not text, or if there is no text at all.
 */
export function agentContent({ content }: JsonObject): readonly unknown[] | null {
  if (!Array.isArray(content)) return null;
  const said = content.map(textIn);
  if (said.includes(null) || said.every((words) => words === "")) return null;
  return said.map((text) => ({ type: "input_text", text }));
}

/** Null if the part is not text, or encrypted. */
function textIn(part: unknown): string | null {
  if (!isObject(part)) return null;
  const { type, text, encrypted_content: hidden } = part;
  if (type === "input_text" || type === "output_text") return typeof text === "string" ? text : null;
  if (type !== "encrypted_content" || typeof hidden !== "string") return null;
  return looksEncrypted(hidden) ? null : hidden;
}
