import type { ChatMessage, ToolCall } from "../providers/index.ts";
import { argumentTexts } from "./argument-texts.ts";
import type { CompactionOptions } from "./compaction.ts";
import { expandLines } from "./expand-lines-testing.ts";
import type { Known } from "./expand-references-testing.ts";
import { expandTables } from "./expand-tables-testing.ts";
import { findFences } from "./fences.ts";
import { isKeptAnswer } from "./kept-answer.ts";
import { mapTexts } from "./message-text.ts";
import { createOrigins, type Label, nameOfFence, nameOfPart } from "./origin.ts";

/**
 * Reads a conversation that was compacted back, from what the model sees alone: only the names of texts are made
 * as the compaction makes them.
 */
export function expand(
  messages: readonly ChatMessage[],
  { references, fences = false }: Pick<CompactionOptions, "references" | "fences">,
): ChatMessage[] {
  const known: Known[] = [];
  const origins = createOrigins();
  const calls = new Map<string, ToolCall>();

  const learn = (label: Label, shown: string, isModel = false): string => {
    const original = expandText(shown, known, isModel);
    known.push({ label, shown, original });
    return original;
  };
  const keep = (label: Label, text: string): string => {
    known.push({ label, shown: text, original: text });
    return text;
  };

  return messages.map((message) => {
    if (message.role === "tool") {
      const name = origins.ofToolResult(calls.get(message.toolCallId));
      const content = mapTexts(message.content, (text, index) => learn(nameOfPart(name, index), text));
      return { ...message, content };
    }
    if (message.role === "assistant") {
      const { content, toolCalls = [] } = message;
      const name = origins.ofMessage("assistant");
      const read = isKeptAnswer(message) ? keep : learn;
      const said = content === null || !references ? content : read(name, content, true);
      for (const call of toolCalls) {
        calls.set(call.id, call);
        keep(origins.ofArguments(call), argumentTexts(call.arguments).join("\n"));
      }
      return { ...message, content: said };
    }
    if (message.role === "user") {
      const name = origins.ofMessage("user");
      const read = (text: string, index: number) => {
        const label = nameOfPart(name, index);
        keep(label, text);
        if (!fences) return text;
        return expandFences(text, (inside, place) => learn(nameOfFence(label, place), inside));
      };
      return { ...message, content: mapTexts(message.content, read) };
    }
    keep(origins.ofMessage(message.role), message.content);
    return message;
  });
}

function expandText(shown: string, known: readonly Known[], isModel: boolean): string {
  const lines = expandLines(shown, known, isModel);
  if (!lines.includes('"§cols"')) return lines;
  for (const { index } of lines.matchAll(/^(?:§indented by .*\n|§json lines\n)?[[{]/gm)) {
    try {
      return lines.slice(0, index) + expandTables(lines.slice(index));
    } catch {
      // Of the lines that begin so, the one that a table to the end begins with.
    }
  }
  return lines;
}

type Place = { readonly index: number; readonly count: number };

function expandFences(text: string, expandInside: (inside: string, place: Place) => string): string {
  let written = "";
  let copied = 0;
  const found = findFences(text);
  for (const [index, { from, to }] of found.entries()) {
    written += text.slice(copied, from) + expandInside(text.slice(from, to), { index, count: found.length });
    copied = to;
  }
  return written + text.slice(copied);
}
