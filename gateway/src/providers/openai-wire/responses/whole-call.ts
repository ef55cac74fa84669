import { isFields } from "../../../wires/index.ts";

/** For a call without any, since clients parse them all the same. */
const NO_ARGUMENTS = "{}";

/**
 * An item that has ended, with arguments that can be parsed. The same item if they can, or if it says that it was cut
 * off: in a stream, its end comes before that of the response.
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
