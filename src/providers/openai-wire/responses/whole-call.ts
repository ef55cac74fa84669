import { isFields } from "../wire-fields.ts";

/** Of a call without any: clients parse it all the same. */
const NO_ARGUMENTS = "{}";

/**
 * An item that has ended, with arguments that can be read; the very item where they can, and where it was cut off, which
 * it says itself: a stream tells of its end before that of the response.
 */
export function wholeCall(item: unknown): unknown {
  if (!isFields(item)) return item;
  const { type, status, arguments: text } = item;
  const isBare = type === "function_call" && status !== "incomplete" && isBlank(text);
  return isBare ? { ...item, arguments: NO_ARGUMENTS } : item;
}

export function isBlank(text: unknown): boolean {
  return text === undefined || text === null || (typeof text === "string" && text.trim() === "");
}
