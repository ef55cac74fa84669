import type { WireVendor } from "../vendor.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the model is taken to have said of a result before the user spoke again. */
const NOTED: Fields = { role: "assistant", content: "I have the result." };

/**
 * For a server that takes no word of the user's right behind a tool's result, and no instructions right behind an answer or
 * a result. Such are the user's words then, where they stand: moved to the front they would change the beginning of the
 * prompt, which is what a cache knows it by.
 */
export function withStrictTurns(messages: readonly Fields[], { strictTurns }: WireVendor): readonly Fields[] {
  if (!strictTurns) return messages;
  const ordered: Fields[] = [];
  let isAnswered = false;
  for (const message of messages) {
    const { role } = message;
    if (role !== "system") isAnswered = role !== "user";
    const said = role === "system" && isAnswered ? { ...message, role: "user" } : message;
    if (said["role"] === "user" && ordered.at(-1)?.["role"] === "tool") ordered.push(NOTED);
    ordered.push(said);
  }
  return ordered;
}
