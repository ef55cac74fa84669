import type { ChatMessage, ChatRequest, ContentPart } from "../contract.ts";
import { textOfFile } from "../file-text.ts";
import { refuseForeignFormat, refuseUnreadable } from "../foreign-wishes.ts";
import { namingMessages, refusedPart } from "../refused-part.ts";
import { refuseUnpriced } from "../unpriced-fields.ts";
import { DIRECTIVE_OPEN, ECHO_DIRECTIVE } from "./directives/directives.ts";
import { ownWords } from "./own-words.ts";
import { isSignedReasoning } from "./reasoning-signature.ts";

export type ToolResult = { readonly name: string; readonly text: string };

/** All that the engine reads of a conversation: an agent's long system prompt does no harm here. */
export type Turn = {
  /** What the user wrote last, text parts joined by line breaks; empty when there is nothing. */
  readonly text: string;
  /** Pictures and files beside it, by name. */
  readonly attachments: readonly string[];
  /** What tools answered last after that message. */
  readonly toolResults: readonly ToolResult[];
  /** Every tool that was called after that message, however many turns it took. */
  readonly called: ReadonlySet<string>;
  /** The reasoning that led to the calls came back as the sandbox signed it. */
  readonly hasSignedReasoning: boolean;
};

type UserMessage = Extract<ChatMessage, { role: "user" }>;

/**
 * Who offers tools may be an agent, which wraps the prompt in text of its own and sends whole messages of it, also
 * after the prompt: those are passed over.
 */
export function readTurn(request: ChatRequest): Turn {
  const { messages, tools = [] } = request;
  namingMessages(request, () => refuseOthers(messages));
  // Tokens that are made more or less likely change nothing here, and there is nothing to block.
  refuseForeignFormat(request);
  if (request.wire?.kind === "responses") refuseUnreadable(request.wire.body);
  if (request.wire !== undefined) refuseUnpriced(request.wire);
  const isAgent = tools.length > 0;
  const end = isAgent ? endOfTalk(messages) : messages.length;
  const talk = end === messages.length ? messages : messages.slice(0, end);
  const users = talk.filter((message) => message.role === "user");
  // What was said since the last answer, if anything was: an older turn is not read again.
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

/** Behind the last message that is not an agent's own note; all that follows an answer alone is the user's. */
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

/** A directive is always somebody's prompt. */
function isWrapper(message: UserMessage): boolean {
  const text = textOf(message);
  if (text.includes(DIRECTIVE_OPEN)) return false;
  if (typeof message.content !== "string" && message.content.some((part) => part.type !== "text"))
    return false;
  return ownWords(text).trim() === "";
}

/** Where a tool's result can hold no picture, agents send it as a user message behind the result. */
function bringsAttachment({ content }: UserMessage): boolean {
  if (typeof content === "string" || content.every((part) => part.type === "text")) return false;
  return content.every((part) => part.type !== "text" || /^\s*(?:$|\(?attached\b)/i.test(part.text));
}

/** An echo is of everything that was written, whoever wrote it. */
function promptIn(text: string): string {
  if (text.includes(ECHO_DIRECTIVE)) return text;
  const own = ownWords(text);
  const isLost = own.trim() === "" || (text.includes(DIRECTIVE_OPEN) && !own.includes(DIRECTIVE_OPEN));
  return isLost ? text : own;
}

/**
 * The last run of tool messages, where no user has spoken since; older results were answered already. Some agents let
 * the assistant answer and then ask for the same answer in another form.
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

/** Pictures and files of a tool stand in it by their names, or by the words that they have. */
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

/** Of other wires; no provider that speaks in our own words takes them. */
function refuseOthers(messages: readonly ChatMessage[]): void {
  for (const { content } of messages) {
    if (typeof content === "string" || content === null) continue;
    const other = content.find((part) => part.type === "other");
    if (other) throw refusedPart(`This model does not take ${nameOf(other)} parts.`);
  }
}
