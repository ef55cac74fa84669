import type { WireVendor } from "../vendor.ts";
import type { Fields } from "../wire-fields.ts";

/** A last turn of the model's own is the beginning of its answer, which some vendors take only with a mark. */
export function withBegunAnswer(
  messages: readonly Fields[],
  { marksBegunAnswer }: WireVendor,
): readonly Fields[] {
  const last = messages.at(-1);
  if (!marksBegunAnswer || last === undefined || !isSaying(last)) return messages;
  return messages.with(-1, { ...last, prefix: true });
}

function isSaying({ role, content, tool_calls: calls }: Fields): boolean {
  const hasCalls = Array.isArray(calls) && calls.length > 0;
  return role === "assistant" && !hasCalls && (content ?? "") !== "";
}
