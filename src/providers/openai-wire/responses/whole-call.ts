type Fields = Readonly<Record<string, unknown>>;

/** Of a call without any: clients parse it all the same. */
const NO_ARGUMENTS = "{}";

/**
 * An item that has ended, with arguments that can be read; the very item where they can, and where it was cut off, which
 * it says itself: a stream tells of its end before that of the response.
 */
export function wholeCall(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const { type, status, arguments: text } = item as Fields;
  const isBare = type === "function_call" && status !== "incomplete" && isBlank(text);
  return isBare ? { ...item, arguments: NO_ARGUMENTS } : item;
}

/** Those of a response. Of one that was cut off the last is left as it is, unless it says itself that it is whole. */
export function wholeCalls(output: readonly unknown[], status: unknown): readonly unknown[] {
  return output.map((item, at) => {
    const isCut = status === "incomplete" && at === output.length - 1;
    return isCut && (item as Fields | null)?.["status"] !== "completed" ? item : wholeCall(item);
  });
}

export function isBlank(text: unknown): boolean {
  return text === undefined || text === null || (typeof text === "string" && text.trim() === "");
}
