import { expand } from "../compaction/expand/expand.ts";
import { resultKindOf } from "../compaction/src/calls/tool-kind.ts";
import { type Compaction, type CompactionLevel, compact } from "../compaction/src/index.ts";
import { findOutputs, mapInsides } from "../compaction/src/outputs.ts";
import { canonical } from "../compaction/src/testing/canonical-testing.ts";
import type { ChatMessage, ContentPart } from "../gateway/src/contract/index.ts";

/** How often a compacted conversation broke what must always hold: each must be 0. */
export type Failures = {
  /** Cuts at which the beginning was compacted differently than in the whole. */
  readonly prefix: number;
  /** Messages that changed and must not, or that changed in more than their text. */
  readonly wrong: number;
  /** Texts that the decoder did not restore, but for the declared normalisations. */
  readonly expand: number;
  /** Results that show a file with lines that are none of it: an edit by exact match would fail. */
  readonly edit: number;
  /** Texts in which a fence that is tagged with a language changed. */
  readonly fences: number;
  /** Results in JSON with another value. */
  readonly json: number;
};

const NO_FAILURES: Failures = { prefix: 0, wrong: 0, expand: 0, edit: 0, fences: 0, json: 0 };

export function sumOfFailures(all: readonly Failures[]): Failures {
  const sum = { ...NO_FAILURES };
  for (const one of all) for (const name of Object.keys(sum) as (keyof Failures)[]) sum[name] += one[name];
  return sum;
}

export function failuresOf(
  messages: readonly ChatMessage[],
  whole: Compaction<ChatMessage>,
  level: CompactionLevel,
): Failures {
  const shown = whole.messages;
  const expanded = level === "structural" ? expandedOf(shown) : shown;
  const sum = { ...NO_FAILURES, prefix: countPrefixChanges(messages, whole, level) };
  const shows = kindsOf(messages);
  for (const at of whole.changed) {
    const [before, after, again] = [messages[at], shown[at], expanded?.[at]];
    const asked = askedBefore(messages, at);
    const originals = outputsIn(before, asked);
    const texts = outputsIn(after, asked);
    const restored = outputsIn(again, asked);
    if (before === undefined || after === undefined || originals.length !== texts.length) sum.wrong++;
    else if (
      isOtherwiseChanged(before, after) ||
      aroundOutputs(before, asked) !== aroundOutputs(after, asked)
    )
      sum.wrong++;
    for (const [index, original] of originals.entries()) {
      const text = texts[index]?.text ?? "";
      const whole = restored[index]?.text ?? "";
      if (!isRestored(whole, original.text)) sum.expand++;
      if ((shows[at] ?? original.isFile) && !canBeEdited(text, original.text)) sum.edit++;
      if (languageFences(original.text).some((fence) => !text.includes(fence))) sum.fences++;
      if (!isSameJson(whole, original.text)) sum.json++;
    }
  }
  return sum;
}

type Shown = { readonly text: string; readonly isFile: boolean };

/** What tools returned in a message: all of a result, and in a user message what an agent framed. */
function outputsIn(message: ChatMessage | undefined, asked: string): Shown[] {
  if (message === undefined) return [];
  if (message.role === "tool") return [{ text: textOf(message), isFile: false }];
  if (message.role !== "user") return [];
  const texts = typeof message.content === "string" ? [message.content] : message.content.map(textOfPart);
  return findOutputs(texts.join("\n"), asked)
    .flat()
    .map(({ from, to, kind }) => ({ text: texts.join("\n").slice(from, to), isFile: kind === "file" }));
}

function aroundOutputs(message: ChatMessage, asked: string): string {
  if (message.role !== "user") return "";
  const content =
    typeof message.content === "string" ? message.content : message.content.map(textOfPart).join("\n");
  return mapInsides(content, findOutputs(content, asked).flat(), () => "");
}

function textOfPart(part: ContentPart): string {
  return part.type === "text" ? part.text : "";
}

/** What the model said last, which an agent may have answered in a user message. */
function askedBefore(messages: readonly ChatMessage[], at: number): string {
  const said = messages.slice(0, at).findLast(({ role }) => role === "assistant");
  return said === undefined ? "" : textOf(said);
}

function textOf({ content }: ChatMessage): string {
  return typeof content === "string" ? content : "";
}

/** Null if the decoder refuses. */
function expandedOf(shown: readonly ChatMessage[]): readonly ChatMessage[] | null {
  try {
    return expand(shown as Parameters<typeof expand>[0]) as readonly ChatMessage[];
  } catch {
    return null;
  }
}

/** Checked at every turn: a provider has cached what was sent then. */
function countPrefixChanges(
  messages: readonly ChatMessage[],
  whole: Compaction<ChatMessage>,
  level: CompactionLevel,
): number {
  const cuts = messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  return cuts.filter((cut) => {
    const beginning = compact(messages.slice(0, cut), { level, references: true }).messages;
    return beginning.some((message, at) => message.content !== whole.messages[at]?.content);
  }).length;
}

function isOtherwiseChanged(before: ChatMessage, after: ChatMessage): boolean {
  return !Bun.deepEquals({ ...before, content: null }, { ...after, content: null });
}

function isRestored(restored: string, original: string): boolean {
  return (["file", "shell", "data"] as const).some((results) => {
    const [one, other] = canonical(restored, original, results);
    return one === other;
  });
}

/** For each result, whether its call shows a file, or may do so. */
function kindsOf(messages: readonly ChatMessage[]): (boolean | undefined)[] {
  const shows = new Map<string, boolean>();
  return messages.map((message) => {
    if (message.role === "assistant")
      for (const call of message.toolCalls ?? [])
        shows.set(call.id, ["file", "listing"].includes(resultKindOf(call)));
    if (message.role !== "tool") return undefined;
    return shows.get(message.toolCallId) ?? !isJson(textOf(message));
  });
}

/** How clients write line numbers; what follows is the line. */
const NUMBERED = [/^ *\d+→/, /^ *\d*\t/, /^ *\d+: /, /^ *\d+ \| /];
/** On an agent's screen, a blank stands between the number and the line. */
const ON_SCREEN = /^ *\d+(?= |$)/;
const LEAST_NUMBERED = 3;

/** Whether all lines that a model could copy, in the runs in which it sees them, are lines of the file in a row. */
function canBeEdited(shown: string, original: string): boolean {
  const lines = original.split("\n");
  const isScreen = /^ *⎿/.test(original);
  const sign = (isScreen ? [ON_SCREEN] : NUMBERED).find((one) => {
    const numbered = lines.filter((line) => one.test(line) && /^ *\d/.test(line)).length;
    return numbered >= LEAST_NUMBERED && (isScreen || numbered * 3 >= lines.length);
  });
  const plain = (line: string) => (sign === undefined ? line : line.replace(sign, ""));
  const file = `\n${lines.map(plain).join("\n")}\n`;
  const runs: string[][] = [[]];
  for (const line of shown.split("\n")) {
    if (line.includes("§")) runs.push([]);
    else runs.at(-1)?.push(plain(line));
  }
  return runs.every((run) => run.length === 0 || file.includes(`\n${run.join("\n")}\n`));
}

const LANGUAGE_FENCE =
  /^(`{3,}|~{3,})(?!\s*$|text\s*$|console\s*$|log\s*$)[^\n`]*\n(?:[\s\S]*?\n)?\1[^\S\n]*$/gm;

function languageFences(text: string): string[] {
  return text.includes("```") || text.includes("~~~")
    ? [...text.matchAll(LANGUAGE_FENCE)].map(([fence]) => fence)
    : [];
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function isSameJson(restored: string, original: string): boolean {
  const value = parsed(original);
  return value === undefined || Bun.deepEquals(value, parsed(restored));
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
