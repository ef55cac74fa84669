import { textsOf } from "../../kit/index.ts";
import type { Fields } from "./wire-fields.ts";

/** For each of the model's turns in a sent body that has any: the texts that return its own reasoning to it. */
export function sentReasoning({ messages, input }: Fields): readonly ReadonlySet<string>[] {
  if (Array.isArray(input)) return reasoningAmong(input);
  if (!Array.isArray(messages)) return [];
  const turns = messages
    .filter(isTurn)
    .map(({ reasoning_content, reasoning, reasoning_details, content }) => {
      const thinking = Array.isArray(content) ? content.filter(isThinking) : null;
      return textsOf([reasoning_content, reasoning, reasoning_details, thinking]);
    });
  return turns.filter(({ size }) => size > 0);
}

/** Texts of details in a sent body that repeat a part of the whole reasoning: they count as one with it. */
export function repeatedReasoning({ messages }: Fields): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages.filter(isTurn).flatMap(({ reasoning, reasoning_details: details }) => {
    return typeof reasoning === "string" && Array.isArray(details) ? textsWithin(reasoning, details) : [];
  });
}

/** In order, up to the first text that is not found, so that a long reasoning text is scanned only once. */
function textsWithin(thought: string, details: readonly (Fields | null)[]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const detail of details) {
    const text = detail?.["text"] ?? detail?.["summary"];
    if (typeof text !== "string") continue;
    const at = thought.indexOf(text, from);
    if (at < 0) break;
    found.push(text);
    from = at + text.length;
  }
  return found;
}

function isTurn(message: Fields | null): message is Fields {
  return message?.["role"] === "assistant";
}

function isThinking(part: Fields | null): boolean {
  return part?.["type"] === "thinking";
}

/** Reasoning items that follow each other belong to one turn. */
function reasoningAmong(items: readonly (Fields | null)[]): readonly ReadonlySet<string>[] {
  const turns: Set<string>[] = [];
  let isOpen = false;
  for (const item of items) {
    const isThought = item?.["type"] === "reasoning";
    if (isThought) {
      if (!isOpen) turns.push(new Set());
      for (const text of textsOf([item["summary"], item["content"]])) turns.at(-1)?.add(text);
    }
    isOpen = isThought;
  }
  return turns.filter(({ size }) => size > 0);
}
