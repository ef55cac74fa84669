/**
 * The decoder: restores a compacted conversation from what the model sees alone, but for what is declared not to be
 * restored (`compaction/src/testing/canonical-testing.ts`). It is written from the description of the notation, and shares no code with the
 * steps: what both get wrong in the same way would otherwise be seen by nobody. Only where agents frame what tools returned
 * in user messages is found by the same table.
 */
import type { ChatMessage, ContentPart, ToolCall } from "../src/message.ts";
import { findOutputs, mapInsides } from "../src/outputs.ts";
import { expandLines } from "./expand-lines.ts";
import { createNames, type Name } from "./expand-names.ts";
import type { Known } from "./expand-references.ts";
import { expandTables } from "./expand-tables.ts";
import { fenceOf, isEnd, type Signs } from "./shown-rows.ts";

/** `fences`: whether tool output stands in fences of user messages. */
export function expand(
  messages: readonly ChatMessage[],
  { fences = false }: { readonly fences?: boolean | undefined; readonly [other: string]: unknown } = {},
): ChatMessage[] {
  const known: Known[] = [];
  const names = createNames();
  const calls = createCalls();

  const learn = (name: Name, shown: string): string => {
    const original = expandText(shown, known);
    known.push({ label: name, shown, original });
    return original;
  };
  const keep = (name: Name, text: string): void => {
    known.push({ label: name, shown: text, original: text });
  };

  let asked = "";
  return messages.map((message) => {
    if (message.role === "tool") {
      const name = names.ofResult(calls.answer(message.toolCallId));
      if (isOneText(message.content))
        return { ...message, content: withText(message.content, (text) => learn(name, text)) };
      keep(name, textOf(message.content));
      return message;
    }
    const name = names.ofRole(message.role);
    const outputs = message.role === "user" ? findOutputs(message.content, asked) : [];
    if (message.role === "user" && outputs.length > 0) {
      const read = (text: string) =>
        mapInsides(text, outputs.shift() ?? [], (inside, { call }) => learn(names.ofResult(call), inside));
      return { ...message, content: withText(message.content, read) };
    }
    keep(name, textOf(message.content ?? ""));
    if (message.role === "assistant") {
      asked = message.content ?? "";
      calls.open(message.toolCalls ?? []);
      for (const call of message.toolCalls ?? [])
        keep(names.ofCall(call), stringsIn(call.arguments).join("\n"));
      return message;
    }
    if (message.role !== "user" || !fences || !isOneText(message.content)) return message;
    const read = (text: string) =>
      expandFences(text, (inside, place) => learn(() => `fence ${place}of ${name()}`, inside));
    return { ...message, content: withText(message.content, read) };
  });
}

function expandText(shown: string, known: readonly Known[]): string {
  const lines = expandLines(shown, known);
  if (!lines.includes('"§cols"')) return lines;
  for (const { index } of lines.matchAll(/^[[{]/gm)) {
    try {
      return lines.slice(0, index) + expandTables(lines.slice(index));
    } catch {
      // No table starts here: try the next line that looks like one.
    }
  }
  return lines;
}

type Content = string | readonly ContentPart[];

function isOneText(content: Content): boolean {
  return typeof content === "string" || content.filter(({ type }) => type === "text").length <= 1;
}

function withText(content: Content, change: (text: string) => string): Content {
  if (typeof content === "string") return change(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: change(part.text) } : part));
}

function textOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "\ufffc")).join("\n");
}

function stringsIn(json: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(json, (_, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
  } catch {
    return [];
  }
  return texts;
}

/** A result belongs to the last turn with its id; of several calls there, to the next one in order. */
function createCalls() {
  let turn = 0;
  let answered = 0;
  const open = new Map<string, { turn: number; calls: ToolCall[]; isUnclear: boolean; next: number }>();
  return {
    open(calls: readonly ToolCall[]): void {
      turn++;
      for (const id of new Set(calls.map((call) => call.id))) {
        const own = calls.filter((call) => call.id === id);
        const before = open.get(id)?.turn ?? 0;
        open.set(id, { turn, calls: own, isUnclear: before > answered, next: 0 });
      }
    },
    answer(id: string): ToolCall | undefined {
      answered = turn;
      const asked = open.get(id);
      if (asked === undefined || asked.isUnclear) return undefined;
      return asked.calls.length === 1 ? asked.calls[0] : asked.calls[asked.next++];
    },
  };
}

/** The closed fences of a user's text; `place` is empty for the only one, or its number and a blank. */
function expandFences(text: string, expandInside: (inside: string, place: string) => string): string {
  const lines = text.split("\n");
  const found: { first: number; end: number }[] = [];
  let opened: (Signs & { at: number }) | null = null;
  for (const [at, line] of lines.entries()) {
    const signs = fenceOf(line);
    if (signs === null) continue;
    if (opened !== null && signs.quotes < opened.quotes) break;
    if (opened === null && !signs.isCode) opened = { ...signs, at };
    else if (opened !== null && isEnd(signs, opened)) {
      found.push({ first: opened.at + 1, end: at });
      opened = null;
    }
  }
  const written: string[] = [];
  let copied = 0;
  for (const [index, { first, end }] of found.entries()) {
    written.push(...lines.slice(copied, first));
    if (end > first)
      written.push(
        expandInside(lines.slice(first, end).join("\n"), found.length === 1 ? "" : `${index + 1} `),
      );
    copied = end;
  }
  return [...written, ...lines.slice(copied)].join("\n");
}
