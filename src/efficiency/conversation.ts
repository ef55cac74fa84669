import type { ChatMessage, ToolCall } from "../providers/index.ts";
import { assistantForm } from "./assistant-form.ts";
import type { Action, CompactionOptions } from "./compaction.ts";
import { estimateTokens } from "./estimate.ts";
import { findFences, LEAST_OUTPUT, type UserFence } from "./fences.ts";
import type { Form } from "./form.ts";
import { isKeptAnswer } from "./kept-answer.ts";
import { SIGN } from "./marks.ts";
import { mapTexts, someText } from "./message-text.ts";
import { createOrigins, type Label, nameOfFence, nameOfPart } from "./origin.ts";
import { createReferences } from "./references.ts";
import { createTextWriter } from "./text-writer.ts";
import { safeToolForm, structuralToolForm } from "./tool-form.ts";
import { resultKindOf, type ToolKind } from "./tool-kind.ts";

/** A conversation as it is read, message by message: what one becomes depends on it and on those before it. */
export type Conversation = {
  /** The message as the model shall see it; the same object where nothing changed, as with one that is fixed. */
  read(message: ChatMessage, isFixed?: boolean): ChatMessage;
  /** Of all that was read. */
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly actions: ReadonlySet<Action>;
  /** Nothing more will be read. */
  end(): void;
};

type Assistant = Extract<ChatMessage, { role: "assistant" }>;
type User = Extract<ChatMessage, { role: "user" }>;
type ToolResult = Extract<ChatMessage, { role: "tool" }>;

/** Shorter results have nothing to gain. */
const LEAST_RESULT = 100;
/** What the model said may only become a reference, and no shorter block does. */
const LEAST_SAID = 200;

/** Nobody refers to anything. */
const unnamed: Label = () => "";

/** Whether a text of that length or more could be shown in another way at all. */
function isWorthALook(text: string, least: number): boolean {
  return text.length >= least || text.includes(SIGN);
}

/**
 * By role and length: most chats end here, before anything was read. What is left out here would not change in
 * any conversation, or the beginning of one could look different from the whole.
 */
export function mayChange(message: ChatMessage, { level, fences = false }: CompactionOptions): boolean {
  if (level === "off") return false;
  if (message.role === "tool") return someText(message.content, isLongResult);
  if (level === "safe") return false;
  if (message.role === "user") return fences && someText(message.content, mayHaveFence);
  return (
    message.role === "assistant" && message.content !== null && isWorthALook(message.content, LEAST_SAID)
  );
}

function isLongResult(text: string): boolean {
  return isWorthALook(text, LEAST_RESULT);
}

function mayHaveFence(text: string): boolean {
  return text.length >= LEAST_OUTPUT;
}

export function createConversation(options: CompactionOptions): Conversation {
  const isStructural = options.level === "structural";
  const references = isStructural && options.references ? createReferences() : null;
  const origins = createOrigins();
  const calls = new Map<string, ToolCall>();
  /** Of what a call answers: any number of results may name the same one. */
  const kinds = new Map<ToolCall, ToolKind>();
  const actions = new Set<Action>();
  let originalTokens = 0;
  let compactedTokens = 0;

  function keep(text: string): string {
    const tokens = estimateTokens(text);
    originalTokens += tokens;
    compactedTokens += tokens;
    return text;
  }

  function show(form: Form): string {
    originalTokens += form.originalTokens;
    compactedTokens += form.tokens;
    for (const action of form.actions) actions.add(action);
    return form.text;
  }

  /** Every message is counted, where anything may refer to it. */
  function labelOf(role: Exclude<ChatMessage["role"], "tool">): Label {
    return references === null ? unnamed : origins.ofMessage(role);
  }

  /** It stays, and may be referred to. */
  function keepSource(label: Label, text: string): string {
    references?.offer(label, text);
    return keep(text);
  }

  function readTool(message: ToolResult, isFixed: boolean): ToolResult {
    const call = calls.get(message.toolCallId);
    const kind = call === undefined ? "unknown" : kindOf(call);
    const name = references === null ? unnamed : origins.ofToolResult(call);
    const content = mapTexts(message.content, (text, index) => {
      const label = nameOfPart(name, index);
      if (isFixed) return keepSource(label, text);
      if (!isWorthALook(text, LEAST_RESULT)) return keep(text);
      const tool = { text, kind, label, isNamed: call !== undefined };
      return show(
        isStructural ? structuralToolForm(tool, { references, thinsGutters: true }) : safeToolForm(tool),
      );
    });
    return content === message.content ? message : { ...message, content };
  }

  function kindOf(call: ToolCall): ToolKind {
    const known = kinds.get(call);
    if (known !== undefined) return known;
    const kind = resultKindOf(call);
    kinds.set(call, kind);
    return kind;
  }

  function readAssistant(message: Assistant, isFixed: boolean): Assistant {
    const { content, toolCalls = [], reasoning = [] } = message;
    const shown = readSaid(message, isFixed);
    for (const { text } of reasoning) keep(text);
    for (const call of toolCalls) {
      keep(call.name);
      keep(call.arguments);
      calls.set(call.id, call);
      references?.offerArguments(origins.ofArguments(call), call);
    }
    return shown === content ? message : { ...message, content: shown };
  }

  function readSaid(message: Assistant, isFixed: boolean): string | null {
    const { content } = message;
    const label = labelOf("assistant");
    if (content === null) return null;
    if (references === null) return keep(content);
    if (isFixed || isKeptAnswer(message)) return keepSource(label, content);
    return isWorthALook(content, LEAST_SAID)
      ? show(assistantForm(content, label, references))
      : keep(content);
  }

  function readUser(message: User): User {
    const name = labelOf("user");
    const content = mapTexts(message.content, (text, index) => {
      const label = nameOfPart(name, index);
      const fences = isStructural && options.fences === true ? findFences(text) : [];
      const shown = fences.length === 0 ? text : readFences(text, fences, label);
      if (shown === text) return keepSource(label, text);
      originalTokens += estimateTokens(text);
      compactedTokens += estimateTokens(shown);
      return shown;
    });
    return content === message.content ? message : { ...message, content };
  }

  /** The user's own words stay. */
  function readFences(text: string, fences: readonly UserFence[], around: Label): string {
    const writer = createTextWriter(text);
    for (const [index, { from, to, kind }] of fences.entries()) {
      if (kind === null) continue;
      const label = nameOfFence(around, { index, count: fences.length });
      const tool = { text: text.slice(from, to), kind, label, isNamed: false };
      const form = structuralToolForm(tool, { references, thinsGutters: false });
      for (const action of form.actions) actions.add(action);
      if (form.text !== tool.text) writer.replace(from, to, form.text);
    }
    return writer.finish();
  }

  return {
    read(message, isFixed = false) {
      if (message.role === "tool") return readTool(message, isFixed);
      if (message.role === "assistant") return readAssistant(message, isFixed);
      if (message.role === "user") return readUser(message);
      keepSource(labelOf(message.role), message.content);
      return message;
    },
    get originalTokens() {
      return originalTokens;
    },
    get compactedTokens() {
      return compactedTokens;
    },
    actions,
    end: () => references?.end(),
  };
}
