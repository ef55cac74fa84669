import type { ChatMessage } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { type JsonObject, requiredList } from "../../json-fields.ts";
import { MediaAddresses, type PrivateHosts } from "../../media-address.ts";
import { createConversation } from "./conversation.ts";
import { ItemDecoder, type ItemSeals } from "./decode-item.ts";
import { decodeTools } from "./decode-tools.ts";
import { isToolItem } from "./tool-item.ts";
import type { ToolTable } from "./tool-table.ts";

type DecodedInput = {
  readonly messages: readonly ChatMessage[];
  /** For each message, the index of the item of `wireInput` with its text, or NO_PLACE. */
  readonly places: readonly number[];
  /** The input for an upstream of the same wire; the given value itself if nothing had to change. */
  readonly wireInput: unknown;
  /** Items of `wireInput` that have no counterpart in the messages. */
  readonly unheard: ReadonlySet<unknown>;
};

const NO_ITEMS: ReadonlySet<unknown> = new Set();

/** Decodes the conversation into neutral messages. Tools that the input defines are added to the table. */
export function decodeInput(
  input: unknown,
  context: {
    readonly instructions: string | undefined;
    readonly table: ToolTable;
    readonly seals: ItemSeals;
    readonly maxItems: number;
    readonly privateHosts?: PrivateHosts;
  },
): DecodedInput {
  const { table, seals, maxItems, privateHosts } = context;
  const conversation = createConversation();
  if (context.instructions !== undefined) conversation.add({ role: "system", content: context.instructions });
  if (typeof input === "string") {
    conversation.add({ role: "user", content: input });
    const messages = conversation.messages();
    return { messages, places: conversation.places, wireInput: input, unheard: NO_ITEMS };
  }
  const accepts = `must be a string or a list of 1 to ${maxItems} items`;
  if (!Array.isArray(input) || input.length === 0 || input.length > maxItems) throw invalid("input", accepts);
  addTools(input, table);
  const opening = { callSeal: seals.callSeal.forRequest(), reasoningSeal: seals.reasoningSeal.forRequest() };
  const addresses = new MediaAddresses(privateHosts);
  const decoder = new ItemDecoder({ conversation, table, seals: opening, addresses });
  const kept: JsonObject[] = [];
  let isChanged = false;
  let hasSealed = false;
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`;
    if (!isObject(item)) throw invalid(at, "must be an object");
    conversation.readsItem(kept.length);
    const wireItem = decoder.decode(item, at);
    if (wireItem !== item) isChanged = true;
    if (wireItem === null) hasSealed = true;
    else kept.push(wireItem);
  }
  const messages = conversation.messages();
  if (messages.length === (context.instructions === undefined ? 0 : 1))
    throw invalid("input", "must have a message");
  const wireInput = hasSealed ? kept.map(withoutId) : isChanged ? kept : input;
  return { messages, places: conversation.places, wireInput, unheard: decoder.unheard };
}

/** Items that a model wrote. Their ids are ours, and a server that sees one requires the reasoning that led to it. */
const SAID: ReadonlySet<unknown> = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "tool_search_call",
]);

function withoutId(item: JsonObject): JsonObject {
  if (!SAID.has(item["type"]) || item["id"] === undefined) return item;
  const { id: _id, ...rest } = item;
  return rest;
}

/** Runs before the first item is decoded: a call may come before the definition of its tool. */
function addTools(items: readonly unknown[], table: ToolTable): void {
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || !isToolItem(item)) continue;
    const at = `input[${index}]`;
    decodeTools(requiredList(item, "tools", at), `${at}.tools`, table);
  }
}
