type Fields = Readonly<Record<string, unknown>>;

/** Of a call without any: clients parse it all the same. */
export const NO_ARGUMENTS = "{}";

/** An item that has ended, with arguments that can be read; the very item where they can, and where it was cut off. */
export function wholeCall(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { type, status, arguments: text } = item as Fields;
  const isBare = type === "function_call" && status !== "incomplete" && isBlank(text);
  return isBare ? { ...item, arguments: NO_ARGUMENTS } : item;
}

/** The same of all items of a response. */
export function withWholeCalls(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const { output, status } = given as Fields;
  if (!Array.isArray(output) || status === "incomplete") return given;
  const items = output.map(wholeCall);
  return items.some((item, at) => item !== output[at]) ? { ...given, output: items } : given;
}

export function isBlank(text: unknown): boolean {
  return text === undefined || text === null || (typeof text === "string" && text.trim() === "");
}
