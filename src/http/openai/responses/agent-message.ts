import { isObject, looksEncrypted } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";

/**
 * What one agent of the client's tells another, as the content of a message. Its words may stand where the service that
 * this wire is from encrypts them, and there they are words as long as another service has answered. Null where they
 * are encrypted, or it has no content that could be read.
 */
export function agentContent({ content }: JsonObject): readonly unknown[] | null {
  if (!Array.isArray(content) || content.some(isCiphertext)) return null;
  return content.map((part: unknown) => {
    const words = hiddenIn(part);
    return words === null ? part : { type: "input_text", text: words };
  });
}

function isCiphertext(part: unknown): boolean {
  const text = hiddenIn(part);
  return text !== null && looksEncrypted(text);
}

function hiddenIn(part: unknown): string | null {
  if (!isObject(part) || part["type"] !== "encrypted_content") return null;
  const { encrypted_content: text } = part;
  return typeof text === "string" ? text : null;
}
