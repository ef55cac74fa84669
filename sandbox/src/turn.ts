import {
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  textOfFile,
} from "../../gateway/src/contract/index.ts";
import { refuseForeignFormat, refuseUnreadable } from "../../gateway/src/providers/foreign-options.ts";
import { namingMessages, refusedPart } from "../../gateway/src/providers/refused-part.ts";
import { refuseUnpriced } from "../../gateway/src/providers/unpriced-fields.ts";
import { DIRECTIVE_OPEN, ECHO_DIRECTIVE } from "./directives/directives.ts";
import { ownWords } from "./own-words.ts";
import { isSignedReasoning } from "./reasoning-signature.ts";

export type ToolResult = { readonly name: string; readonly text: string };

/** All that the engine reads of a conversation, so that an agent's long system prompt does no harm. */
export type Turn = {
  /** The user's last message, text parts joined by line breaks; empty if there is none. */
  readonly text: string;
  /** Names of the images and files attached to it. */
  readonly attachments: readonly string[];
  /** The last tool results after that message. */
  readonly toolResults: readonly ToolResult[];
  /** Every tool that was called after that message, over any number of turns. */
  readonly called: ReadonlySet<string>;
  /** The reasoning before the calls came back as the sandbox signed it. */
  readonly hasSignedReasoning: boolean;
};

type UserMessage = Extract<ChatMessage, { role: "user" }>;

/**
 * A request with tools may come from an agent, which wraps the prompt in its own text and adds whole messages, even
 * after the prompt: those are skipped.
 */
export function readTurn(request: ChatRequest): Turn {
  const { messages, tools = [] } = request;
  namingMessages(request, () => refuseOthers(messages));
  // No check of `logit_bias` or moderation: biased tokens change nothing here, and there is nothing to block.
  refuseForeignFormat(request);
  if (request.wire?.kind === "responses") refuseUnreadable(request.wire.body);
  if (request.wire !== undefined) refuseUnpriced(request.wire);
  const isAgent = tools.length > 0;
  const end = isAgent ? endOfTalk(messages) : messages.length;
  const talk = end === messages.length ? messages : messages.slice(0, end);
  const users = talk.filter((message) => message.role === "user");
  // Only messages since the last answer, if there are any: an older turn is not read again.
  const latest = talk.slice(talk.findLastIndex(isPlainWord) + 1).filter((message) => message.role === "user");
  const asked = latest.length > 0 ? latest : users;
  const user = (isAgent ? asked.findLast((message) => !isWrapper(message)) : undefined) ?? asked.at(-1);
  const called = calledIn(user === undefined ? talk : talk.slice(talk.lastIndexOf(user)));
  const results = { ...readResults(talk), called };
  if (user === undefined) return { text: "", attachments: [], ...results };
  const parts = typeof user.content === "string" ? [] : user.content;
  return {
    text: isAgent ? promptIn(textOf(user)) : textOf(user),
    attachments: parts.flatMap((part) => (part.type === "text" ? [] : [nameOf(part)])),
    ...results,
  };
}

/** Index behind the last message that is not an agent's own note. If only user messages follow an answer, all count. */
function endOfTalk(messages: readonly ChatMessage[]): number {
  for (let end = messages.length; end > 0; end--) {
    const message = messages[end - 1];
    if (message?.role === "system" || message?.role === "developer") continue;
    if (isPlainWord(message) && messages.slice(end).some(({ role }) => role === "user")) break;
    if (message?.role !== "user") return end;
    const followsTool = messages[end - 2]?.role === "tool";
    if (!isWrapper(message) && !(followsTool && bringsAttachment(message))) return end;
  }
  return messages.length;
}

/** A message with a directive is always a prompt. */
function isWrapper(message: UserMessage): boolean {
  const text = textOf(message);
  if (text.includes(DIRECTIVE_OPEN)) return false;
  if (typeof message.content !== "string" && message.content.some((part) => part.type !== "text"))
    return false;
  return ownWords(text).trim() === "";
}

/** If a tool result cannot contain images, agents send them as a user message after it. */
function bringsAttachment({ content }: UserMessage): boolean {
  if (typeof content === "string" || content.every((part) => part.type === "text")) return false;
  return content.every((part) => part.type !== "text" || /^\s*(?:$|\(?attached\b)/i.test(part.text));
}

/** An echo repeats everything, including an agent's text. */
function promptIn(text: string): string {
  if (text.includes(ECHO_DIRECTIVE)) return text;
  const own = ownWords(text);
  const isLost = own.trim() === "" || (text.includes(DIRECTIVE_OPEN) && !own.includes(DIRECTIVE_OPEN));
  return isLost ? text : own;
}

/**
 * The last run of tool messages, if no user message follows; older results were already answered. Trailing answers are
 * skipped, since some agents let the assistant answer and then ask for the same in another form.
 */
function readResults(messages: readonly ChatMessage[]): Pick<Turn, "toolResults" | "hasSignedReasoning"> {
  let end = messages.length;
  while (end > 0 && isPlainWord(messages[end - 1])) end--;
  let start = end;
  while (start > 0 && messages[start - 1]?.role === "tool") start--;
  const asker = messages[start - 1];
  const { toolCalls = [], reasoning = [] } = asker?.role === "assistant" ? asker : {};
  const names = new Map<string, string>();
  for (const { id, name } of toolCalls) if (!names.has(id)) names.set(id, name);
  const toolResults = messages.slice(start, end).flatMap((message) => {
    if (message.role !== "tool") return [];
    return [{ name: names.get(message.toolCallId) ?? "the tool", text: textOf(message) }];
  });
  return { toolResults, hasSignedReasoning: reasoning.some(isSignedReasoning) };
}

function calledIn(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  return new Set(calls.map(({ name }) => name));
}

function isPlainWord(message: ChatMessage | undefined): boolean {
  return message?.role === "assistant" && (message.toolCalls ?? []).length === 0;
}

/** Images and files of a tool are replaced by their names, or by their text if they have any. */
function textOf({ role, content }: Extract<ChatMessage, { role: "user" | "tool" }>): string {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) =>
    part.type === "text" ? [part.text] : role === "tool" ? [wordsOf(part) ?? `(${nameOf(part)})`] : [],
  );
  return texts.join("\n");
}

function wordsOf(part: Exclude<ContentPart, { type: "text" }>): string | null {
  return part.type === "file" ? (textOfFile(part)?.read() ?? null) : null;
}

function nameOf(part: Exclude<ContentPart, { type: "text" }>): string {
  if (part.type === "image") return "an image";
  const name = part.type === "file" ? part.filename : part.name;
  return name === undefined || name === "" ? "a file" : name.slice(0, MAX_NAME_CHARACTERS);
}

const MAX_NAME_CHARACTERS = 60;

/** Parts that only other wires have; no provider of the neutral request takes them. */
function refuseOthers(messages: readonly ChatMessage[]): void {
  for (const { content } of messages) {
    if (typeof content === "string" || content === null) continue;
    const other = content.find((part) => part.type === "other");
    if (other) throw refusedPart(`This model does not take ${nameOf(other)} parts.`);
  }
}
