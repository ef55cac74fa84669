import type { Tool } from "../../../../contract/index.ts";
import type { ChatPrompt, SentPrompt, UnseenText } from "../../../../generation/index.ts";
import { isObject } from "../../../../kit/index.ts";
import type { JsonObject } from "../../json-fields.ts";
import { withoutMark } from "../../sealed/sealed-reasoning.ts";
import { addUnseenParts, type SeenParts, seenField } from "../../unseen/unseen-parts.ts";
import { addSignatures } from "../../unseen/unseen-signatures.ts";
import { type UnseenSize, UnseenSum } from "../../unseen/unseen-size.ts";
import { UNREAD, unseenText } from "../../unseen/unseen-text.ts";
import { agentContent } from "./agent-message.ts";
import { isAnybodys } from "./decode-tools.ts";
import { isToolItem } from "./tool-item.ts";
import { isSearchCall } from "./tool-search.ts";
import type { ToolTable } from "./tool-table.ts";

const FUNCTION: ReadonlySet<string> = new Set(["type", "description", "parameters", "strict", "name"]);
const CUSTOM: ReadonlySet<string> = new Set(["type", "description", "format", "name"]);
const NAMESPACE: ReadonlySet<string> = new Set(["type", "tools"]);
const DESCRIBED: ReadonlySet<string> = new Set([...NAMESPACE, "description"]);
const GRAMMAR: ReadonlySet<string> = new Set(["type", "definition"]);

/**
 * Adds the tools as they were sent. `offered` are those that the prompt shows, with their neutral form. The others are
 * of a kind that it does not know, left out by the caller's choice, or replaced by one of the same name.
 */
function addUnseenTools(tools: unknown, offered: ReadonlyMap<unknown, Tool>, unseen: UnseenSize): void {
  if (!Array.isArray(tools)) {
    unseen.add(tools);
    return;
  }
  for (const tool of tools) {
    if (isObject(tool) && tool["type"] === "namespace") {
      unseen.addOthers(tool, isDescribed(tool, offered) ? DESCRIBED : NAMESPACE);
      addUnseenTools(tool["tools"], offered, unseen);
    } else addTool(tool, offered.get(tool), unseen);
  }
}

/** The description of a namespace is shown with the first of its tools that any provider can serve. */
function isDescribed({ tools }: JsonObject, offered: ReadonlyMap<unknown, Tool>): boolean {
  if (!Array.isArray(tools)) return false;
  return offered.has(tools.find((tool: unknown) => isObject(tool) && isAnybodys(tool["type"])));
}

function addTool(given: unknown, neutral: Tool | undefined, unseen: UnseenSize): void {
  if (neutral === undefined || !isObject(given)) {
    unseen.add(given);
    return;
  }
  const { type, name, format } = given;
  unseen.addOthers(given, type === "custom" ? CUSTOM : FUNCTION);
  // The neutral name is shortened, or has the namespace in front.
  if (name !== neutral.name) unseen.add(name);
  if (type !== "custom" || !isObject(format)) return;
  if (format["type"] === "grammar") unseen.addOthers(format, GRAMMAR);
  else unseen.add(format);
}

/** Measured separately. */
const APART: ReadonlySet<string> = new Set(["input", "instructions", "tools", "text"]);
const APART_OR_UNREAD: ReadonlySet<string> = APART.union(UNREAD);

/** What decoding the request found out about its tools and items. */
type Known = {
  readonly table: ToolTable;
  /** Items that have no counterpart in the prompt. */
  readonly unheard: ReadonlySet<unknown>;
};

/** Tokens that an upstream of this wire may read in the body, but that the prompt made from it does not show. */
export function unseenResponseTokens(body: JsonObject, prompt: ChatPrompt, known: Known): number {
  const unseen = new UnseenSum();
  unseen.addOthers(body, APART);
  addUnseen(body, prompt, known, unseen);
  return unseen.tokens(prompt.messages.length);
}

/** Number of images in items that no prompt shows. */
export function unseenImages({ input }: JsonObject): number {
  return Array.isArray(input) ? input.filter((item) => screenshotIn(item) !== null).length : 0;
}

/** The screenshot in the result of a computer call; null if there is none. */
function screenshotIn({ type, output }: JsonObject): JsonObject | null {
  if (type !== "computer_call_output" || !isObject(output)) return null;
  return typeof output["image_url"] === "string" ? output : null;
}

/** The text of those tokens, as far as it is in the body that was sent. */
export function unseenResponseText(
  body: JsonObject,
  prompt: ChatPrompt,
  known: Known,
  sent: SentPrompt,
): UnseenText {
  return unseenText(sent, prompt.tools ?? [], (unseen) => {
    unseen.addOthers(body, APART_OR_UNREAD);
    addUnseen(body, prompt, known, unseen);
  });
}

function addUnseen(body: JsonObject, prompt: ChatPrompt, known: Known, unseen: UnseenSize): void {
  addText(body["text"], unseen);
  const offered = known.table.givenFor(prompt.tools ?? []);
  addUnseenTools(body["tools"], offered, unseen);
  const { input } = body;
  if (Array.isArray(input)) {
    for (const item of input) {
      addItem(item, known.unheard, unseen);
      if (isToolItem(item)) addUnseenTools(item["tools"], offered, unseen);
    }
  }
  for (const message of prompt.messages) addSignatures(message, unseen);
}

const TEXT: ReadonlySet<string> = new Set(["format"]);
const SCHEMA_FORMAT: ReadonlySet<string> = new Set(["type", "schema", "strict"]);
const KIND: ReadonlySet<string> = new Set(["type"]);

function addText(text: unknown, unseen: UnseenSize): void {
  if (!isObject(text)) return;
  unseen.addOthers(text, TEXT);
  const { format } = text;
  if (isObject(format)) {
    unseen.addOthers(format, format["type"] === "json_schema" ? SCHEMA_FORMAT : KIND);
  }
}

const WORDS = [seenField("text")];
const PARTS: SeenParts = new Map([
  ["input_text", WORDS],
  ["output_text", WORDS],
  ["text", WORDS],
  ["summary_text", WORDS],
  ["reasoning_text", WORDS],
  ["refusal", [seenField("refusal")]],
  ["input_image", [seenField("image_url", "url")]],
  ["input_file", [seenField("file_data"), seenField("file_url")]],
  ["input_audio", [seenField("input_audio", "data"), seenField("data")]],
]);

const AGENT_MESSAGE: ReadonlySet<string> = new Set(["type", "content"]);
const AGENT_PARTS: SeenParts = new Map([...PARTS, ["encrypted_content", [seenField("encrypted_content")]]]);

const MESSAGE: ReadonlySet<string> = new Set(["type", "role", "content"]);
const FUNCTION_CALL: ReadonlySet<string> = new Set(["type", "arguments"]);
const CUSTOM_CALL: ReadonlySet<string> = new Set(["type", "input"]);
const RESULT: ReadonlySet<string> = new Set(["type", "output"]);
const SCREENSHOT: ReadonlySet<string> = new Set(["type", "image_url"]);

/** Names and ids count as unseen: most of them take less than the room that is free for each message. */
function addItem(item: JsonObject, unheard: ReadonlySet<unknown>, unseen: UnseenSize): void {
  switch (item["type"] ?? "message") {
    case "message":
      unseen.addOthers(item, MESSAGE);
      addUnseenParts(item["content"], PARTS, unseen);
      break;
    case "function_call":
      unseen.addOthers(item, FUNCTION_CALL);
      break;
    case "tool_search_call":
      if (isSearchCall(item)) unseen.addOthers(item, FUNCTION_CALL);
      else addUnknown(item, unseen);
      break;
    case "custom_tool_call":
      unseen.addOthers(item, CUSTOM_CALL);
      break;
    case "function_call_output":
    case "custom_tool_call_output":
      if (unheard.has(item)) {
        unseen.add(item);
      } else {
        unseen.addOthers(item, RESULT);
        addUnseenParts(item["output"], PARTS, unseen);
      }
      break;
    case "computer_call_output": {
      const screenshot = screenshotIn(item);
      if (screenshot === null) {
        addUnknown(item, unseen);
      } else {
        unseen.addOthers(item, RESULT);
        unseen.addOthers(screenshot, SCREENSHOT);
      }
      break;
    }
    case "reasoning":
      if (item["encrypted_content"]) addUnknown(item, unseen);
      else addWords(item, unseen);
      break;
    case "agent_message":
      if (agentContent(item) === null) {
        addUnknown(item, unseen);
      } else {
        unseen.addOthers(item, AGENT_MESSAGE);
        addUnseenParts(item["content"], AGENT_PARTS, unseen);
      }
      break;
    default:
      addUnknown(item, unseen);
  }
}

const THOUGHT: ReadonlySet<string> = new Set(["type", "summary", "content"]);

/** Reasoning as plain text: the prompt shows it, and it is not sent to upstreams of this wire. */
function addWords(item: JsonObject, unseen: UnseenSize): void {
  unseen.addOthers(item, THOUGHT);
  for (const parts of [item["summary"], item["content"]]) {
    if (Array.isArray(parts) && parts.every(isObject)) addUnseenParts(parts, PARTS, unseen);
    else unseen.add(parts);
  }
}

const HIDDEN: ReadonlySet<string> = new Set(["encrypted_content"]);
const HIDDEN_BESIDE_TOOLS: ReadonlySet<string> = new Set(["encrypted_content", "tools"]);

/** For another service's reasoning or compaction, and for types of items that are unknown here. */
function addUnknown(item: JsonObject, unseen: UnseenSize): void {
  unseen.addOthers(item, isToolItem(item) ? HIDDEN_BESIDE_TOOLS : HIDDEN);
  const { encrypted_content: hidden } = item;
  if (typeof hidden === "string") unseen.addEncrypted(hidden, () => [withoutMark(hidden)]);
  else unseen.add(hidden);
}
