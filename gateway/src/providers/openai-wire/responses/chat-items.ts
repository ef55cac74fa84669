import type { ChatMessage, ContentPart, ProviderFailure, ToolCall } from "../../../contract/index.ts";
import { isObject, parseForeignJson } from "../../../kit/index.ts";
import { BlockReader, type Taken } from "../../block-order.ts";
import { refusedPart } from "../../refused-part.ts";
import { encodeItemCallId } from "../encode/encode-call-id.ts";
import { fileOf, partName } from "../encode/encode-message.ts";
import type { EncodeTarget } from "../encode/encode-target.ts";
import { openSealedReasoning, type SealedReasoning } from "./reasoning-seal.ts";

type Item = Readonly<Record<string, unknown>>;
type Assistant = Extract<ChatMessage, { role: "assistant" }>;

/**
 * A conversation as input items of the Responses API; `custom` has the names of tools that take free text, `given` is
 * the client's own messages, in the same order.
 */
export function chatItems(
  messages: readonly ChatMessage[],
  { custom, given }: { readonly custom: { has(name: string): boolean }; readonly given: unknown },
  target: EncodeTarget,
): readonly Item[] {
  const own: readonly unknown[] = Array.isArray(given) ? given : [];
  /** Names of the calls so far, by id: some clients reuse an id, and a result belongs to the latest call. */
  const called = new Map<string, string>();
  return messages.flatMap((message, at) => {
    if (message.role === "assistant") {
      for (const { id, name } of message.toolCalls ?? []) called.set(id, name);
    }
    return itemsOf(message, { custom, called, own: own[at] }, target);
  });
}

type Tools = {
  readonly custom: { has(name: string): boolean };
  readonly called: ReadonlyMap<string, string>;
};

function itemsOf(
  message: ChatMessage,
  { custom, called, own }: Tools & { readonly own: unknown },
  target: EncodeTarget,
): readonly Item[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ type: "message", role: message.role, content: encodeContent(message.content, own) }];
    case "developer": {
      const role = target.vendor.developerModels?.test(target.model) ? "developer" : "system";
      return [{ type: "message", role, content: encodeContent(message.content, own) }];
    }
    case "assistant":
      return encodeTurn(message, custom, target);
    case "tool": {
      const { toolCallId: id, content } = message;
      const type = custom.has(called.get(id) ?? "") ? "custom_tool_call_output" : "function_call_output";
      return [{ type, call_id: encodeItemCallId(id, target.vendor), output: encodeContent(content, own) }];
    }
  }
}

/** Reasoning keeps its position, and only what this provider has encrypted itself is sent back. */
function encodeTurn(
  { content, reasoning = [], toolCalls = [] }: Assistant,
  custom: Tools["custom"],
  { vendor, namespace }: EncodeTarget,
): readonly Item[] {
  const blocks = new BlockReader(content ?? "", toolCalls);
  const items: Item[] = [];
  let hasText = false;
  const encode = (taken: Taken<ToolCall>): Item => {
    if ("call" in taken) {
      const { call } = taken;
      return encodeCall({ ...call, id: encodeItemCallId(call.id, vendor) }, custom.has(call.name));
    }
    // The gap after the previous message is not part of this one.
    const text = hasText ? taken.text.replace(/^\n\n/, "") : taken.text;
    hasText = true;
    return messageOf(text);
  };
  for (const { text, signature } of reasoning) {
    const thought = openSealedReasoning(namespace, signature);
    if (thought !== null)
      items.push(...blocks.take(thought.after).map(encode), encodeReasoning(text, thought));
  }
  items.push(...blocks.rest().map(encode));
  if (items.every(({ type }) => type === "reasoning")) items.push(messageOf(content ?? ""));
  return items;
}

function messageOf(text: string): Item {
  return { type: "message", role: "assistant", content: text };
}

function encodeReasoning(text: string, { encrypted, summaries }: SealedReasoning): Item {
  const summary = textsOf(text, summaries).map((each) => ({ type: "summary_text", text: each }));
  return { type: "reasoning", summary, encrypted_content: encrypted };
}

/**
 * Splits a text into the summaries that it was made of, without the gaps between them; the whole text if the lengths do
 * not add up to its own.
 */
function textsOf(text: string, lengths: readonly number[]): readonly string[] {
  const isWhole = lengths.reduce((sum, length) => sum + length, 0) === text.length;
  let end = 0;
  const texts = (isWhole ? lengths : [text.length]).map((length) => {
    end += length;
    return text.slice(end - length, end).trimStart();
  });
  return texts.filter((each) => each !== "");
}

function encodeCall({ id, name, arguments: text }: ToolCall, isCustom: boolean): Item {
  return isCustom
    ? { type: "custom_tool_call", call_id: id, name, input: inputIn(text) }
    : { type: "function_call", call_id: id, name, arguments: text === "" ? "{}" : text };
}

/** The text of a custom call, which its neutral form has as its only argument; all of it if it has another form. */
function inputIn(text: string): string {
  try {
    const { input } = parseForeignJson(text) as { readonly input?: unknown };
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}

/** The client's own parts may have cache breakpoints, which neutral parts do not: each is copied to its part. */
function encodeContent(content: string | readonly ContentPart[], own: unknown): unknown {
  const parts: readonly unknown[] = isObject(own) && Array.isArray(own["content"]) ? own["content"] : [];
  const marks = parts.map((part) => (isObject(part) ? part[MARK] : null) ?? null);
  if (marks.every((mark) => mark === null))
    return typeof content === "string" ? content : content.map(encodePart);
  if (typeof content !== "string") return content.map((part, at) => withMark(encodePart(part), marks[at]));
  // The content was made of text parts only, which are separated again.
  return parts.map((part, at) => withMark(textOf(part), marks[at]));
}

const MARK = "prompt_cache_breakpoint";

function withMark(part: Item, mark: unknown): Item {
  return mark === null || mark === undefined ? part : { ...part, [MARK]: mark };
}

function textOf(part: unknown): Item {
  return { type: "input_text", text: isObject(part) ? part["text"] : part };
}

function encodePart(part: ContentPart): Item {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: part.url, detail: part.detail ?? "auto" };
    case "file": {
      if (part.writtenAs !== undefined) return encodePart(part.writtenAs);
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
  return refusedPart(`This model does not take ${partName(name)} parts beside tools.`);
}
