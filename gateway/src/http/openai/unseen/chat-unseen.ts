import type { ChatMessage } from "../../../contract/index.ts";
import type { ChatPrompt, SentPrompt, UnseenText } from "../../../generation/index.ts";
import { assert, isObject } from "../../../kit/index.ts";
import type { JsonObject } from "../json-fields.ts";
import { addUnseenFormat, addUnseenTools } from "./chat-unseen-tools.ts";
import { addUnseenParts, type SeenParts, seenField } from "./unseen-parts.ts";
import { addSignatures } from "./unseen-signatures.ts";
import { type UnseenSize, UnseenSum } from "./unseen-size.ts";
import { UNREAD, unseenText } from "./unseen-text.ts";

/** Measured separately. */
const APART: ReadonlySet<string> = new Set(["messages", "tools", "functions", "response_format"]);
const APART_OR_UNREAD: ReadonlySet<string> = APART.union(UNREAD);

const PARTS: SeenParts = new Map([
  ["text", [seenField("text")]],
  ["refusal", [seenField("refusal")]],
  ["image_url", [seenField("image_url", "url")]],
  ["input_audio", [seenField("input_audio", "data")]],
  ["file", [seenField("file", "file_data")]],
]);

/** Tokens that an upstream of this wire may read in the body, but that the prompt made from it does not show. */
export function unseenChatTokens(body: JsonObject, prompt: ChatPrompt): number {
  const unseen = new UnseenSum();
  unseen.addOthers(body, APART);
  addUnseen(body, prompt, unseen);
  return unseen.tokens(prompt.messages.length);
}

/** The text of those tokens, as far as it is in the body that was sent. */
export function unseenChatText(body: JsonObject, prompt: ChatPrompt, sent: SentPrompt): UnseenText {
  return unseenText(sent, prompt.tools ?? [], (unseen) => {
    unseen.addOthers(body, APART_OR_UNREAD);
    addUnseen(body, prompt, unseen);
  });
}

function addUnseen(body: JsonObject, prompt: ChatPrompt, unseen: UnseenSize): void {
  const { messages } = prompt;
  const given = body["messages"];
  assert(Array.isArray(given) && given.length === messages.length, "each message has its neutral form");
  for (let at = 0; at < messages.length; at++) addMessage(given[at], messages[at] as ChatMessage, unseen);
  addUnseenTools(body, prompt.tools ?? [], unseen);
  addUnseenFormat(body["response_format"], unseen);
}

type Assistant = Extract<ChatMessage, { role: "assistant" }>;

const SEEN: ReadonlySet<string> = new Set(["role", "content"]);
const SEEN_OF_RESULT: ReadonlySet<string> = new Set(["role", "content", "tool_call_id"]);

function addMessage(given: JsonObject, neutral: ChatMessage, unseen: UnseenSize): void {
  addUnseenParts(given["content"], PARTS, unseen);
  if (neutral.role === "assistant") {
    // Before the rest: a client may have kept signatures in fields of its own as well, where they would count as text.
    addSignatures(neutral, unseen);
    addTurn(given, neutral, unseen);
  } else if (neutral.role === "tool") {
    unseen.addOthers(given, SEEN_OF_RESULT);
    // The id as it is sent, without what we sealed in it.
    unseen.add(neutral.toolCallId);
  } else {
    unseen.addOthers(given, SEEN);
  }
}

const APART_OF_TURN: ReadonlySet<string> = new Set([
  ...SEEN,
  "refusal",
  // Only its transcript is sent, as text.
  "audio",
  "reasoning_content",
  "reasoning",
  "tool_calls",
  "function_call",
]);

function addTurn(given: JsonObject, neutral: Assistant, unseen: UnseenSize): void {
  unseen.addOthers(given, APART_OF_TURN);
  const { content, refusal, reasoning_content: first, reasoning: second } = given;
  // The neutral message has one text for `content` and `refusal`, and one reasoning for its two field names.
  const isSilent = content === null || content === undefined || content === "";
  if (!isSilent || refusal !== neutral.content) unseen.add(refusal);
  const thought = neutral.reasoning?.map(({ text }) => text).join("");
  if (first !== thought) unseen.add(first);
  if (first === thought || second !== thought) unseen.add(second);
  addCalls(given, neutral, unseen);
}

const FRAME: ReadonlySet<string> = new Set(["id", "type", "function", "custom"]);
const MADE: ReadonlySet<string> = new Set(["name", "arguments"]);
const WRITTEN: ReadonlySet<string> = new Set(["name", "input"]);

function addCalls(given: JsonObject, { toolCalls = [] }: Assistant, unseen: UnseenSize): void {
  const { tool_calls: calls, function_call: single } = given;
  if (!Array.isArray(calls)) {
    if (isObject(single)) unseen.addOthers(single, MADE);
    return;
  }
  unseen.add(single);
  for (const [at, call] of calls.entries()) {
    unseen.add(toolCalls[at]?.id);
    unseen.addOthers(call, FRAME);
    const { type, custom, function: made } = call as JsonObject;
    const isCustom = type === "custom" && isObject(custom);
    unseen.add(isCustom ? made : custom);
    const holder = isCustom ? custom : made;
    if (isObject(holder)) unseen.addOthers(holder, isCustom ? WRITTEN : MADE);
  }
}
