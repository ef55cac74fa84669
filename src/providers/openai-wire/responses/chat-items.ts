import { parseForeignJson } from "../../../kit/index.ts";
import { type ChatMessage, type ContentPart, ProviderFailure, type ToolCall } from "../../contract.ts";
import { fileOf, partName } from "../encode-message.ts";
import type { EncodeTarget } from "../encode-target.ts";
import { openSeal } from "../seal.ts";

type Item = Readonly<Record<string, unknown>>;
type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/** A conversation as the items of a response's input; `custom` are the names of tools that take any text. */
export function chatItems(
  messages: readonly ChatMessage[],
  custom: { has(name: string): boolean },
  target: EncodeTarget,
): readonly Item[] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  const customCalls = new Set(calls.filter(({ name }) => custom.has(name)).map(({ id }) => id));
  return messages.flatMap((message) => itemsOf(message, customCalls, target));
}

function itemsOf(
  message: ChatMessage,
  customCalls: ReadonlySet<string>,
  target: EncodeTarget,
): readonly Item[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ type: "message", role: message.role, content: encodeContent(message.content) }];
    case "developer": {
      const role = target.vendor.developerModels?.test(target.model) ? "developer" : "system";
      return [{ type: "message", role, content: message.content }];
    }
    case "assistant":
      return encodeTurn(message, customCalls, target);
    case "tool": {
      const { toolCallId: id, content } = message;
      const type = customCalls.has(id) ? "custom_tool_call_output" : "function_call_output";
      return [{ type, call_id: id, output: encodeContent(content) }];
    }
  }
}

/** Thoughts stand before what they led to, and only those go back that this provider has encrypted itself. */
function encodeTurn(
  { content, reasoning = [], toolCalls = [] }: Assistant,
  customCalls: ReadonlySet<string>,
  { namespace }: EncodeTarget,
): readonly Item[] {
  const thoughts = reasoning.flatMap(({ text, signature }): readonly Item[] => {
    const encrypted = openSeal(namespace, signature);
    if (encrypted === null) return [];
    // What stood between it and the thought before is no part of it.
    const thought = text.trimStart();
    const summary = thought === "" ? [] : [{ type: "summary_text", text: thought }];
    return [{ type: "reasoning", summary, encrypted_content: encrypted }];
  });
  const isSaid = content || toolCalls.length === 0;
  const said = isSaid ? [{ type: "message", role: "assistant", content: content ?? "" }] : [];
  return [...thoughts, ...said, ...toolCalls.map((call) => encodeCall(call, customCalls.has(call.id)))];
}

function encodeCall({ id, name, arguments: text }: ToolCall, isCustom: boolean): Item {
  return isCustom
    ? { type: "custom_tool_call", call_id: id, name, input: inputIn(text) }
    : { type: "function_call", call_id: id, name, arguments: text === "" ? "{}" : text };
}

/** The text that the neutral form of a custom call has as its one argument; of a call in another form all of it. */
function inputIn(text: string): string {
  try {
    const { input } = parseForeignJson(text) as { readonly input?: unknown };
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}

function encodeContent(content: string | readonly ContentPart[]): unknown {
  return typeof content === "string" ? content : content.map(encodePart);
}

function encodePart(part: ContentPart): Item {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: part.url, detail: part.detail ?? "auto" };
    case "file": {
      const { url, isRemote, audioFormat } = fileOf(part);
      if (audioFormat !== null) throw untaken("input_audio");
      if (isRemote) return { type: "input_file", file_url: url };
      return { type: "input_file", filename: part.filename ?? "file", file_data: url };
    }
    case "other":
      throw untaken(part.name);
  }
}

function untaken(name: string): ProviderFailure {
  return new ProviderFailure("rejected", `This model does not take ${partName(name)} parts beside tools.`);
}
