import type { ReasoningPart } from "../../../../contract/index.ts";
import { invalid, isObject } from "../../../../kit/index.ts";
import { faultInCompanions, refuseInsideCompanions } from "../../companion-content.ts";
import { wrapCustomInput } from "../../custom-tool.ts";
import { type JsonObject, requiredString, stringOf } from "../../json-fields.ts";
import type { MediaAddresses } from "../../media-address.ts";
import type { CallSeal } from "../../sealed/sealed-call-id.ts";
import type { ReasoningSeal } from "../../sealed/sealed-reasoning.ts";
import { namesStoredReply, refuseStoredReply } from "../../stored-reply.ts";
import { agentContent } from "./agent-message.ts";
import type { Conversation } from "./conversation.ts";
import { decodeContent, decodeInstructions, decodeSaid } from "./decode-content.ts";
import { referenceNotFound } from "./stateless.ts";
import { foundText, isSearchCall } from "./tool-search.ts";
import { SEARCH_NAME, type ToolTable } from "./tool-table.ts";

/**
 * Whether the item reports a call of one of the provider's own tools. Clients send it back with every turn, and nobody
 * runs it again.
 */
function isReport(type: string): boolean {
  return type.endsWith("_call");
}

/** The report without inputs and outputs, which only mention files. */
function deedOf({ results, input, output, ...deed }: JsonObject): JsonObject {
  return deed;
}

/**
 * Removes the provider's container in which the call ran: it may be another caller's, and naming it could give access
 * to it. Null if the report still refers to stored data, and means nothing without it.
 */
function withoutKept(report: JsonObject): JsonObject | null {
  if (!namesStoredReply(deedOf(report))) return report;
  // The rest is kept: the result that follows means nothing without its call.
  const { environment: _environment, ...rest } = report;
  return namesStoredReply(deedOf(rest)) ? null : rest;
}

export type ItemSeals = { readonly callSeal: CallSeal; readonly reasoningSeal: ReasoningSeal };

type CalledTool = { readonly name: string; readonly argumentsText: string };

/** Types of items of which only known fields are decoded: their other fields are checked for internal addresses. */
const READ_HERE: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "function_call_output",
  "custom_tool_call_output",
  "reasoning",
  "agent_message",
]);

const ROLES = "must be one of user, assistant, system, developer";

/** Reads the items of one request, in their order. */
export class ItemDecoder {
  /** Items, as they are passed on, that have no counterpart in the conversation. */
  readonly unheard = new Set<JsonObject>();
  /** Ids of calls that are not ordinary tool calls: their results do not join the conversation. */
  readonly #unheardCalls = new Set<string>();
  /** Ids of searches for tools that the client runs. */
  readonly #searches = new Set<string>();
  readonly #conversation: Conversation;
  readonly #table: ToolTable;
  readonly #seals: ItemSeals;
  readonly #addresses: MediaAddresses;
  /** True if the open turn has a sealed reasoning item, which takes precedence over the reasoning in its calls' ids. */
  #hasThought = false;

  constructor(input: {
    readonly conversation: Conversation;
    readonly table: ToolTable;
    readonly seals: ItemSeals;
    readonly addresses: MediaAddresses;
  }) {
    this.#conversation = input.conversation;
    this.#table = input.table;
    this.#seals = input.seals;
    this.#addresses = input.addresses;
  }

  /**
   * Adds the item to the conversation, and returns it as an upstream of the same wire may get it: without our seals, or
   * null if it is only a seal or refers to data stored elsewhere.
   */
  decode(item: JsonObject, at: string): JsonObject | null {
    const type = typeOf(item, at);
    if (READ_HERE.has(type)) refuseInsideCompanions(item, at, this.#addresses);
    switch (type) {
      case "message":
        return this.#decodeMessage(item, at);
      case "function_call":
        return this.#decodeCall(item, at, argumentsOf(item, at));
      case "custom_tool_call":
        return this.#decodeCall(item, at, wrapCustomInput(requiredString(item, "input", at)));
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#decodeOutput(item, at);
      case "reasoning":
        return this.#decodeReasoning(item, at);
      case "item_reference":
        throw referenceNotFound(at);
      case "tool_search_call":
        return this.#decodeSearch(item, at);
      case "tool_search_output":
        return this.#decodeFound(item, at);
      case "agent_message":
        return this.#decodeAgentMessage(item, at);
      default:
        return this.#decodeOther(item, type, at);
    }
  }

  #decodeMessage(item: JsonObject, at: string): JsonObject {
    const fault = faultInCompanions(item, this.#addresses);
    if (fault !== null) throw invalid(`${at}${fault.place}`, fault.words);
    const role = requiredString(item, "role", at);
    const path = `${at}.content`;
    switch (role) {
      case "user":
        this.#conversation.add({ role, content: decodeContent(item["content"], path, this.#addresses) });
        break;
      case "system":
      case "developer":
        this.#conversation.add({ role, content: decodeInstructions(item["content"], path, this.#addresses) });
        break;
      case "assistant":
        this.#conversation.said(decodeSaid(item["content"] ?? "", path, this.#addresses));
        return item;
      default:
        throw invalid(`${at}.role`, ROLES);
    }
    this.#hasThought = false;
    return item;
  }

  #decodeCall(item: JsonObject, at: string, argumentsText: string): JsonObject {
    const namespace = stringOf(item, "namespace", at);
    const name = this.#table.neutralName(requiredString(item, "name", at), namespace);
    return this.#addCall(item, at, { name, argumentsText });
  }

  #addCall(item: JsonObject, at: string, called: CalledTool): JsonObject {
    const { name, argumentsText } = called;
    const given = requiredString(item, "call_id", at);
    const { id, signature, reasoning } = this.#seals.callSeal.open(given);
    if (reasoning !== undefined && !this.#hasThought) this.#conversation.thought(reasoning);
    this.#unheardCalls.delete(id);
    this.#conversation.called({
      id,
      name,
      arguments: argumentsText,
      ...(signature === undefined ? {} : { signature }),
    });
    return id === given ? item : { ...item, call_id: id };
  }

  #decodeOutput(item: JsonObject, at: string): JsonObject {
    const given = requiredString(item, "call_id", at);
    const toolCallId = this.#seals.callSeal.plainId(given);
    this.#hasThought = false;
    const handedOn = toolCallId === given ? item : { ...item, call_id: toolCallId };
    if (this.#unheardCalls.has(toolCallId)) {
      refuseStoredReply(item, at, this.#addresses);
      this.unheard.add(handedOn);
    } else {
      const content = decodeContent(item["output"], `${at}.output`, this.#addresses);
      this.#conversation.add({ role: "tool", toolCallId, content });
    }
    return handedOn;
  }

  #decodeReasoning(item: JsonObject, at: string): JsonObject | null {
    const sealed = stringOf(item, "encrypted_content", at);
    if (!sealed) {
      this.#conversation.echoed(wordsOf(item));
      return item;
    }
    const parts = this.#seals.reasoningSeal.open(sealed);
    // Another service's reasoning means something to that service alone.
    if (parts === null) return item;
    if (parts.length > 0) {
      this.#hasThought = true;
      this.#conversation.thought(parts);
    }
    return null;
  }

  #decodeAgentMessage(item: JsonObject, at: string): JsonObject | null {
    const content = agentContent(item);
    if (content === null) return this.#decodeOther(item, "agent_message", at);
    this.#conversation.add({
      role: "user",
      content: decodeContent(content, `${at}.content`, this.#addresses),
    });
    this.#hasThought = false;
    return item;
  }

  #decodeSearch(given: JsonObject, at: string): JsonObject | null {
    const type = "tool_search_call";
    if (!isSearchCall(given)) return this.#decodeOther(given, type, at);
    const item = this.#asHandedOn(given, type, at);
    if (item === null) return null;
    this.#searches.add(this.#seals.callSeal.plainId(String(item["call_id"])));
    const argumentsText = searchText(item["arguments"]);
    return this.#addCall(item, at, { name: this.#table.builtInName(SEARCH_NAME), argumentsText });
  }

  #decodeFound(item: JsonObject, at: string): JsonObject | null {
    const { call_id: given } = item;
    const toolCallId = typeof given === "string" ? this.#seals.callSeal.plainId(given) : null;
    if (toolCallId === null || !this.#searches.has(toolCallId))
      return this.#decodeOther(item, "tool_search_output", at);
    refuseStoredReply(item, at, this.#addresses);
    this.#hasThought = false;
    this.#conversation.add({ role: "tool", toolCallId, content: foundText(item["tools"], this.#table) });
    return toolCallId === given ? item : { ...item, call_id: toolCallId };
  }

  #decodeOther(given: JsonObject, type: string, at: string): JsonObject | null {
    if (typeof given["call_id"] === "string") this.#unheardCalls.add(given["call_id"]);
    const item = this.#asHandedOn(given, type, at);
    if (item !== null) this.unheard.add(item);
    return item;
  }

  #asHandedOn(given: JsonObject, type: string, at: string): JsonObject | null {
    const item = isReport(type) ? withoutKept(given) : given;
    if (item === null) return null;
    refuseStoredReply(isReport(type) ? deedOf(item) : item, at, this.#addresses);
    return item;
  }
}

/** An item without a type is a message, or a bare id that refers to an item of an earlier response. */
function typeOf(item: JsonObject, at: string): string {
  const type = stringOf(item, "type", at);
  if (type !== undefined) return type;
  if (item["role"] !== undefined) return "message";
  if (typeof item["id"] === "string") return "item_reference";
  throw invalid(`${at}.type`, "must be the type of an item, such as message or function_call_output");
}

/** The full reasoning if the item has it, else its summary. */
function wordsOf({ content, summary }: JsonObject): readonly ReasoningPart[] {
  const full = textsIn(content);
  return full.length > 0 ? full : textsIn(summary);
}

function textsIn(parts: unknown): readonly ReasoningPart[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const text = isObject(part) ? part["text"] : undefined;
    return typeof text === "string" && text !== "" ? [{ text }] : [];
  });
}

/** The arguments as JSON text; some clients send the object itself. */
function argumentsOf(item: JsonObject, at: string): string {
  const given = item["arguments"];
  return typeof given === "object" && given !== null
    ? JSON.stringify(given)
    : requiredString(item, "arguments", at);
}

function searchText(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given ?? {});
}
