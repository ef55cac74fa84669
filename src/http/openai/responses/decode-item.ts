import { invalid, isObject } from "../../../kit/index.ts";
import type { ReasoningPart } from "../../../providers/index.ts";
import { wrapCustomInput } from "../custom-tool.ts";
import type { JsonObject } from "../json-fields.ts";
import { refuseKeptElsewhere } from "../kept-elsewhere.ts";
import type { PrivateHosts } from "../media-address.ts";
import { optionalString, requiredString } from "../nested-field.ts";
import type { CallSeal } from "../sealed/sealed-call-id.ts";
import type { ReasoningSeal } from "../sealed/sealed-reasoning.ts";
import { agentContent } from "./agent-message.ts";
import type { Conversation } from "./conversation.ts";
import { decodeContent, decodeInstructions, decodeSaid } from "./decode-content.ts";
import { deedOf, isReport, withoutKept } from "./report-item.ts";
import { foundText, isSearchCall, SEARCH_NAME } from "./tool-search.ts";
import type { ToolTable } from "./tool-table.ts";

export type ItemSeals = { readonly callSeal: CallSeal; readonly reasoningSeal: ReasoningSeal };

type ItemDecoder = {
  /**
   * Tells the conversation what the item says, and gives it as an upstream of the same wire may have it: without our
   * seals, and null where it is nothing but a seal or the name of what is kept elsewhere.
   */
  decode(item: JsonObject, at: string): JsonObject | null;
  /** Calls that no provider of ours can be told of: their results mean nothing without them. */
  readonly unheardCalls: ReadonlySet<string>;
};

type CalledTool = { readonly name: string; readonly argumentsText: string };

const ROLES = "must be one of user, assistant, system, developer";

export function createItemDecoder(input: {
  readonly conversation: Conversation;
  readonly table: ToolTable;
  readonly seals: ItemSeals;
  readonly privateHosts: PrivateHosts;
}): ItemDecoder {
  const { conversation, table, seals, privateHosts } = input;
  const unheardCalls = new Set<string>();
  /** The client's own searches for tools. */
  const searches = new Set<string>();
  /** What the open turn thought, as its reasoning items say it: stands above what its calls carry. */
  let hasThought = false;

  function decodeMessage(item: JsonObject, at: string): JsonObject {
    const role = requiredString(item, "role", at);
    const path = `${at}.content`;
    switch (role) {
      case "user":
        conversation.add({ role, content: decodeContent(item["content"], path, privateHosts) });
        break;
      case "system":
      case "developer":
        conversation.add({ role, content: decodeInstructions(item["content"], path) });
        break;
      case "assistant":
        conversation.said(decodeSaid(item["content"] ?? "", path));
        return item;
      default:
        throw invalid(`${at}.role`, ROLES);
    }
    hasThought = false;
    return item;
  }

  function decodeCall(item: JsonObject, at: string, argumentsText: string): JsonObject {
    const namespace = optionalString(item, "namespace", at) ?? undefined;
    const name = table.neutralName(requiredString(item, "name", at), namespace);
    return addCall(item, at, { name, argumentsText });
  }

  function addCall(item: JsonObject, at: string, called: CalledTool): JsonObject {
    const { name, argumentsText } = called;
    const given = requiredString(item, "call_id", at);
    const { id, signature, reasoning } = seals.callSeal.open(given);
    if (reasoning !== undefined && !hasThought) conversation.thought(reasoning);
    conversation.called({
      id,
      name,
      arguments: argumentsText,
      ...(signature === undefined ? {} : { signature }),
    });
    return id === given ? item : { ...item, call_id: id };
  }

  function decodeOutput(item: JsonObject, at: string): JsonObject {
    const given = requiredString(item, "call_id", at);
    const toolCallId = seals.callSeal.plainId(given);
    hasThought = false;
    if (unheardCalls.has(toolCallId)) {
      refuseKeptElsewhere(item, at, privateHosts);
    } else {
      const content = decodeContent(item["output"], `${at}.output`, privateHosts);
      conversation.add({ role: "tool", toolCallId, content });
    }
    return toolCallId === given ? item : { ...item, call_id: toolCallId };
  }

  function decodeReasoning(item: JsonObject, at: string): JsonObject | null {
    const sealed = optionalString(item, "encrypted_content", at);
    if (!sealed) {
      conversation.echoed(wordsOf(item));
      return item;
    }
    const parts = seals.reasoningSeal.open(sealed);
    // Another service's reasoning means something to that service alone.
    if (parts === null) return item;
    if (parts.length > 0) {
      hasThought = true;
      conversation.thought(parts);
    }
    return null;
  }

  function decodeAgentMessage(item: JsonObject, at: string): JsonObject | null {
    const content = agentContent(item);
    if (content === null) return decodeOther(item, "agent_message", at);
    conversation.add({ role: "user", content: decodeContent(content, `${at}.content`, privateHosts) });
    hasThought = false;
    return item;
  }

  function decodeSearch(given: JsonObject, at: string): JsonObject | null {
    const type = "tool_search_call";
    if (!isSearchCall(given)) return decodeOther(given, type, at);
    const item = asHandedOn(given, type, at);
    if (item === null) return null;
    searches.add(seals.callSeal.plainId(String(item["call_id"])));
    const argumentsText = searchText(item["arguments"]);
    return addCall(item, at, { name: table.neutralName(SEARCH_NAME), argumentsText });
  }

  function decodeFound(item: JsonObject, at: string): JsonObject | null {
    const given = optionalString(item, "call_id", at);
    const toolCallId = given === null ? null : seals.callSeal.plainId(given);
    if (toolCallId === null || !searches.has(toolCallId)) return decodeOther(item, "tool_search_output", at);
    refuseKeptElsewhere(item, at, privateHosts);
    hasThought = false;
    conversation.add({ role: "tool", toolCallId, content: foundText(item["tools"], table) });
    return toolCallId === given ? item : { ...item, call_id: toolCallId };
  }

  function decodeOther(given: JsonObject, type: string, at: string): JsonObject | null {
    if (typeof given["call_id"] === "string") unheardCalls.add(given["call_id"]);
    return asHandedOn(given, type, at);
  }

  function asHandedOn(given: JsonObject, type: string, at: string): JsonObject | null {
    const item = isReport(type) ? withoutKept(given) : given;
    if (item === null) return null;
    refuseKeptElsewhere(isReport(type) ? deedOf(item) : item, at, privateHosts);
    return item;
  }

  return {
    unheardCalls,
    decode(item, at) {
      const type = typeOf(item, at);
      switch (type) {
        case "message":
          return decodeMessage(item, at);
        case "function_call":
          return decodeCall(item, at, argumentsOf(item, at));
        case "custom_tool_call":
          return decodeCall(item, at, wrapCustomInput(requiredString(item, "input", at)));
        case "function_call_output":
        case "custom_tool_call_output":
          return decodeOutput(item, at);
        case "reasoning":
          return decodeReasoning(item, at);
        case "item_reference":
          return item;
        case "tool_search_call":
          return decodeSearch(item, at);
        case "tool_search_output":
          return decodeFound(item, at);
        case "agent_message":
          return decodeAgentMessage(item, at);
        default:
          return decodeOther(item, type, at);
      }
    },
  };
}

/** An item without a type is a message, or the bare id of something that was never stored. */
function typeOf(item: JsonObject, at: string): string {
  const type = optionalString(item, "type", at);
  if (type !== null) return type;
  if (item["role"] !== undefined) return "message";
  if (typeof item["id"] === "string") return "item_reference";
  throw invalid(`${at}.type`, "must be the type of an item, such as message or function_call_output");
}

/** What was thought, where the item says it in full, else its summary. */
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

/** One JSON text; some clients send it read already. */
function argumentsOf(item: JsonObject, at: string): string {
  const given = item["arguments"];
  return typeof given === "object" && given !== null
    ? JSON.stringify(given)
    : requiredString(item, "arguments", at);
}

function searchText(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given ?? {});
}
