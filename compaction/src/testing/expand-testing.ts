import { argumentTexts } from "../calls/argument-texts.ts";
import { type Answer, createOpenCalls } from "../calls/open-calls.ts";
import { createOrigins, type Label, nameOfFence } from "../calls/origin.ts";
import type { ToolKind } from "../calls/tool-kind.ts";
import type { CompactionOptions } from "../compaction.ts";
import { findFences } from "../fences.ts";
import type { ChatMessage } from "../message.ts";
import { hasSeveralTexts, mapTexts, wholeText } from "../message-text.ts";
import { expandLines } from "./expand-lines-testing.ts";
import type { Known } from "./expand-references-testing.ts";
import { expandTables } from "./expand-tables-testing.ts";
import { type InObject, inAnswer, inObject } from "./unwrap-testing.ts";

const RUNNERS: readonly ToolKind[] = ["shell", "hits", "search", "matches"];

/**
 * Restores a compacted conversation from what the model sees alone; only the labels of texts are made with the code
 * of the compaction.
 */
export function expand(
  messages: readonly ChatMessage[],
  { fences = false }: Pick<CompactionOptions, "references" | "fences">,
): ChatMessage[] {
  const known: Known[] = [];
  const origins = createOrigins();
  const calls = createOpenCalls();

  const learn = (label: Label, shown: string): string => {
    const original = expandText(shown, known);
    known.push({ label, shown, original });
    return original;
  };
  const learnInObject = (label: Label, shown: string, object: InObject | null): string => {
    if (object === null) return learn(label, shown);
    return object.write(learn(() => `${object.key} of ${label()}`, object.said));
  };
  /** The shapes of the wrapper objects by tool; null if a result came unwrapped. */
  const objects = new Map<string, string[] | null>();
  const learnResult = (label: Label, shown: string, { call, kind }: Answer): string => {
    const name = call?.name ?? "";
    const known = objects.get(name);
    const object = inObject(shown);
    if (kind === "data") return learnInObject(label, shown, inAnswer(shown));
    const isKnown = object !== null && (known ?? []).includes(object.names);
    const isListing = kind === "listing" || kind === "numbered";
    if (!(isListing ? isKnown : RUNNERS.includes(kind))) return learn(label, shown);
    const original = learnInObject(label, shown, object);
    const isLong = original.length >= 100 || original.includes("§");
    if (!isListing && isLong && known !== null) {
      objects.set(name, object === null ? null : [...(known ?? []), object.names]);
    }
    return original;
  };
  const keep = (label: Label, text: string): string => {
    known.push({ label, shown: text, original: text });
    return text;
  };

  return messages.map((message) => {
    if (message.role === "tool") {
      const answer = calls.answer(message.toolCallId);
      const name = origins.ofToolResult(answer.call);
      if (hasSeveralTexts(message.content)) {
        keep(name, wholeText(message.content));
        return message;
      }
      return { ...message, content: mapTexts(message.content, (text) => learnResult(name, text, answer)) };
    }
    if (message.role === "assistant") {
      const { content, toolCalls = [] } = message;
      const name = origins.ofMessage("assistant");
      if (content !== null) keep(name, content);
      calls.open(toolCalls);
      for (const call of toolCalls) {
        keep(origins.ofArguments(call), argumentTexts(call.arguments).join("\n"));
      }
      return message;
    }
    if (message.role === "user") {
      const label = origins.ofMessage("user");
      keep(label, wholeText(message.content));
      const read = (text: string) => {
        if (!fences || hasSeveralTexts(message.content)) return text;
        return expandFences(text, (inside, place) => learn(nameOfFence(label, place), inside));
      };
      return { ...message, content: mapTexts(message.content, read) };
    }
    keep(origins.ofMessage(message.role), message.content);
    return message;
  });
}

function expandText(shown: string, known: readonly Known[]): string {
  const lines = expandLines(shown, known);
  if (!/"§cols"|§indented by /.test(lines)) return lines;
  for (const { index } of lines.matchAll(/^(?:§indented by .*\n|§json lines\n)?[[{]/gm)) {
    try {
      return lines.slice(0, index) + expandTables(lines.slice(index));
    } catch {
      // No table starts here: try the next line that looks like one.
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
