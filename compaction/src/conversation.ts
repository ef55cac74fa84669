import { createOpenCalls } from "./calls/open-calls.ts";
import { createOrigins, type Label, nameOfFence } from "./calls/origin.ts";
import { type Action, type CompactionOptions, STEPS } from "./compaction.ts";
import { escapeMarks } from "./fences/language-fences.ts";
import { findFences, LEAST_OUTPUT } from "./fences.ts";
import { chooseMarkedForm, type Form, keepForm } from "./form.ts";
import type { ChatMessage } from "./message.ts";
import { messageTokenSteps } from "./message-size.ts";
import { hasSeveralTexts, isTextAlone, mapTexts, someText, wholeText } from "./message-text.ts";
import { findOutputs, mapInsides, type Returned } from "./outputs.ts";
import { createReferences } from "./references/references.ts";
import type { Steps } from "./steps.ts";
import { SIGN } from "./text/marks.ts";
import { createTextWriter } from "./text/text-writer.ts";
import { estimateTokens } from "./tokens/estimate.ts";
import { safeToolForm, structuralToolForm, type ToolText } from "./tool-form.ts";

/**
 * "free": may change. "fixed": must stay, but may be referred to. "unnamed": must stay, and nothing may refer to it.
 */
export type Hold = "free" | "fixed" | "unnamed";

/** Reads a conversation message by message: what a message becomes depends only on it and on those before it. */
type Conversation = {
  /**
   * The message as the model will see it; the same object if it is unchanged, as one that is not "free" always is.
   */
  read(message: ChatMessage, hold?: Hold): ChatMessage;
  /** Counts a message that stays as it is, whatever it contains. Nothing will refer to its texts. */
  leaveSteps(message: ChatMessage): Steps<void>;
  /** Sums over all messages read so far. */
  readonly tokens: { readonly original: number; readonly compacted: number };
  readonly actions: ReadonlySet<Action>;
  /** Call after the last message: lets the next conversation reuse the arrays. */
  end(): void;
};

type Assistant = Extract<ChatMessage, { role: "assistant" }>;
type User = Extract<ChatMessage, { role: "user" }>;
type ToolResult = Extract<ChatMessage, { role: "tool" }>;

const LEAST_RESULT = 100;

/** Used if references are off. */
const unnamed: Label = () => "";

/**
 * Decides by role and length only: most chats end here, before any text is read. Must be false only for messages that
 * no conversation would change; otherwise a prefix could be compacted differently from the whole.
 */
export function mayChange(message: ChatMessage, { level, fences = false }: CompactionOptions): boolean {
  if (level === "off") return false;
  if (message.role === "tool") return someText(message.content, isWorthALook);
  if (level === "safe") return false;
  if (message.role !== "user") return false;
  return findOutputs(message.content, "").length > 0 || (fences && someText(message.content, mayHaveFence));
}

/** True if the text is long enough to be shortened, or may contain something that looks like one of our marks. */
function isWorthALook(text: string): boolean {
  return text.length >= LEAST_RESULT || text.includes(SIGN);
}

function mayHaveFence(text: string): boolean {
  return text.length >= LEAST_OUTPUT;
}

export function createConversation(options: CompactionOptions): Conversation {
  const { count = estimateTokens } = options;
  const isStructural = options.level === "structural";
  const references = isStructural && options.references ? createReferences() : null;
  const origins = createOrigins();
  const calls = createOpenCalls();
  const actions = new Set<Action>();
  const steps: ReadonlySet<Action> = new Set(options.steps ?? STEPS);
  const may = (step: Action) => steps.has(step);
  const tokens = { original: 0, compacted: 0 };
  /** What the model said last: some agents answer it in a user message. */
  let asked = "";

  function add(original: number, compacted = original): void {
    tokens.original += original;
    tokens.compacted += compacted;
  }

  function keep(text: string): string {
    add(count(text));
    return text;
  }

  function show(form: Form): string {
    add(form.originalTokens, form.tokens);
    return showInside(form);
  }

  /** Of a text that is counted together with what is around it. */
  function showInside({ text, actions: taken }: Form): string {
    for (const action of taken) actions.add(action);
    return text;
  }

  /** Called for every message, since labels number the messages of a role. */
  function labelOf(role: Exclude<ChatMessage["role"], "tool">): Label {
    return references === null ? unnamed : origins.ofMessage(role);
  }

  /** Keeps the text, and lets later messages refer to it. */
  function keepSource(label: Label, text: string): string {
    references?.offer(label, text);
    return keep(text);
  }

  /**
   * For references, the parts of a message are one text. Each part stays, except that text that looks like our marks
   * is escaped unless `isSaid`.
   */
  function keepParts<Message extends User | ToolResult>(
    label: Label,
    message: Message,
    isSaid: boolean,
  ): Message {
    const unmark = (text: string) =>
      show(chooseMarkedForm(keepForm(text, count), escapeMarks(text), { drafts: [], count }));
    const content = mapTexts(message.content, isSaid ? keep : unmark);
    references?.offer(label, wholeText(content));
    return content === message.content ? message : { ...message, content };
  }

  function readTool(message: ToolResult, hold: Hold): ToolResult {
    const { call, kind } = calls.answer(message.toolCallId);
    const label = references === null ? unnamed : origins.ofToolResult(call);
    if (hold === "unnamed") {
      mapTexts(message.content, keep);
      return message;
    }
    if (hold === "fixed" || hasSeveralTexts(message.content)) {
      return keepParts(label, message, hold === "fixed" || !isStructural);
    }
    const isNamed = call !== undefined && isTextAlone(message.content);
    const content = mapTexts(message.content, (text) => {
      if (!isWorthALook(text)) return keep(text);
      return show(formOf({ text, kind, label, isNamed, count }));
    });
    return content === message.content ? message : { ...message, content };
  }

  function formOf(tool: ToolText, thinsGutters = true): Form {
    return isStructural
      ? structuralToolForm(tool, { references, thinsGutters, may })
      : safeToolForm(tool, { may });
  }

  /** Nothing of it changes: a model learns from what it said before. */
  function readAssistant({ content, toolCalls = [], reasoning = [] }: Assistant): void {
    const label = labelOf("assistant");
    if (content !== null) keepSource(label, content);
    asked = content ?? "";
    for (const { text } of reasoning) keep(text);
    calls.open(toolCalls);
    for (const call of toolCalls) {
      keep(call.name);
      keep(call.arguments);
      references?.offerArguments(origins.ofArguments(call), call);
    }
  }

  /** Only what tools returned changes, in frames or else in fences: not the user's own text. */
  function readUser(message: User, hold: Hold): User {
    const label = labelOf("user");
    const outputs = isStructural && hold === "free" ? findOutputs(message.content, asked) : [];
    const isFramed = outputs.length > 0;
    if (!isFramed && hasSeveralTexts(message.content)) return keepParts(label, message, true);
    const content = mapTexts(message.content, (text) => {
      const shown = isFramed ? mapInsides(text, outputs.shift() ?? [], showOutput) : readFences(text, label);
      if (shown === text) return isFramed ? keep(text) : keepSource(label, text);
      add(count(text), count(shown));
      return shown;
    });
    return content === message.content ? message : { ...message, content };
  }

  function readFences(text: string, around: Label): string {
    const fences = isStructural && options.fences === true ? findFences(text) : [];
    const writer = createTextWriter(text);
    for (const [index, { from, to, kind }] of fences.entries()) {
      if (kind === null) continue;
      const label = nameOfFence(around, { index, count: fences.length });
      const tool = { text: text.slice(from, to), kind, label, isNamed: false, count };
      writer.replace(from, to, showInside(formOf(tool, false)));
    }
    return writer.finish();
  }

  /** As a tool's result would be shown. */
  function showOutput(text: string, { call, kind }: Returned): string {
    const label = references === null ? unnamed : origins.ofToolResult(call);
    return isWorthALook(text) ? showInside(formOf({ text, kind, label, isNamed: true, count })) : text;
  }

  return {
    *leaveSteps(message) {
      if (message.role === "assistant") asked = "";
      add(yield* messageTokenSteps(message, count));
      yield* noteUnreadSteps(message, calls, origins);
    },
    read(message, hold = "free") {
      if (message.role === "tool") return readTool(message, hold);
      if (message.role === "user") return readUser(message, hold);
      if (message.role === "assistant") readAssistant(message);
      else keepSource(labelOf(message.role), message.content);
      return message;
    },
    tokens,
    actions,
    end: () => references?.end(),
  };
}

/** What is not read is counted all the same where others of its kind are numbered. */
function* noteUnreadSteps(
  message: ChatMessage,
  calls: ReturnType<typeof createOpenCalls>,
  origins: ReturnType<typeof createOrigins>,
): Steps<void> {
  if (message.role === "tool") origins.ofToolResult(calls.answer(message.toolCallId).call);
  else origins.ofMessage(message.role);
  if (message.role !== "assistant") return;
  calls.open(message.toolCalls ?? []);
  for (const call of message.toolCalls ?? []) {
    origins.ofArguments(call);
    yield;
  }
}
