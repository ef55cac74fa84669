import {
  type ChatMessage,
  type ContentPart,
  type FilePart,
  fileTypeByName,
  type ToolCall,
  textOfFile,
} from "../../../contract/index.ts";
import { readDataUrl } from "../../../kit/index.ts";
import { fieldsOf } from "../../../wires/index.ts";
import { refusedPart } from "../../refused-part.ts";
import { openSeal } from "../seal.ts";
import type { WireVendor } from "../vendor.ts";
import { encodeArguments } from "./encode-arguments.ts";
import { encodeCallId } from "./encode-call-id.ts";
import { encodeReasoning, thinkingContent } from "./encode-reasoning.ts";
import type { EncodeTarget } from "./encode-target.ts";

/** Most characters of a file name quoted in text: a longer one could carry content that is not counted. */
const MOST_OF_NAME = 48;

type WireMessage = Readonly<Record<string, unknown>>;

export function encodeMessage(message: ChatMessage, target: EncodeTarget): WireMessage {
  if (isPlain(message)) return message;
  const { vendor, model } = target;
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "developer": {
      const role = vendor.developerModels?.test(model) ? "developer" : "system";
      return { role, content: message.content };
    }
    case "user":
      return { role: "user", content: encodeContent(message.content, vendor) };
    case "assistant":
      return encodeAssistant(message, target);
    case "tool":
      return {
        role: "tool",
        tool_call_id: encodeCallId(message.toolCallId, vendor),
        content: encodeResult(message.content, vendor),
      };
  }
}

/** Nothing but a role, which every server knows, and a text. */
function isPlain(message: ChatMessage): boolean {
  return (
    message.role !== "developer" && typeof message.content === "string" && Object.keys(message).length === 2
  );
}

function encodeAssistant(
  message: Extract<ChatMessage, { role: "assistant" }>,
  target: EncodeTarget,
): WireMessage {
  const { vendor } = target;
  const { content, toolCalls, reasoning } = message;
  const calls = toolCalls === undefined || toolCalls.length === 0 ? null : toolCalls;
  const thinking = vendor.reasoningEcho === "thinking_parts" ? thinkingContent(reasoning, content) : null;
  return {
    role: "assistant",
    // A turn without calls needs text, even if empty; beside calls, every server accepts null.
    content: thinking ?? (content || (calls === null ? "" : null)),
    ...encodeReasoning(reasoning, target),
    ...(calls === null ? {} : { tool_calls: calls.map((call) => encodeCall(call, target)) }),
  };
}

export function encodeCall(
  { id, name, arguments: text, signature }: ToolCall,
  target: EncodeTarget,
): WireMessage {
  const thoughtSignature = openSeal(target.namespace, signature);
  return {
    id: encodeCallId(id, target.vendor),
    type: "function",
    function: { name, arguments: encodeArguments(text, target.vendor) },
    ...(thoughtSignature === null
      ? {}
      : { extra_content: { google: { thought_signature: thoughtSignature } } }),
  };
}

/** If only text is accepted, other parts are at least named: the model should know that they were there. */
export function encodeResult(content: string | readonly ContentPart[], vendor: WireVendor): unknown {
  if (typeof content === "string") return content;
  const parts = content.map(inWords);
  if (vendor.toolResultParts) return parts.map((part) => encodePart(part, vendor));
  return parts.map((part) => (part.type === "text" ? part.text : `[${nameOf(part)}]`)).join("\n");
}

/** A file with text is replaced by it: no server accepts such a file in a tool's result. */
function inWords(part: ContentPart): ContentPart {
  const text = part.type === "file" ? wordsOf(part) : null;
  return text === null ? part : { type: "text", text };
}

/**
 * The text of a file, after its name: unlike a user's file part, text has no field for that. Null if the file has no
 * text.
 */
export function wordsOf(part: FilePart): string | null {
  const words = textOfFile(part)?.read() ?? null;
  return words !== null && part.filename ? `[${nameOf(part)}]\n${words}` : words;
}

export function nameOf(part: Exclude<ContentPart, { type: "text" }>): string {
  if (part.type === "file")
    return part.filename ? part.filename.slice(0, MOST_OF_NAME).toWellFormed() : "file";
  return part.type === "image" ? "image" : part.name;
}

function encodeContent(content: string | readonly ContentPart[], vendor: WireVendor): unknown {
  if (typeof content === "string") return content;
  const [only] = content;
  // Small servers accept only strings, and a list of one text says no more than the string.
  if (content.length === 1 && only?.type === "text") return only.text;
  const joined = vendor.joinsTextOf.includes("user") ? joinedText(content, "\n") : null;
  if (joined !== null) return joined;
  return content.map((part) => encodePart(part, vendor));
}

function encodePart(part: ContentPart, vendor: WireVendor): unknown {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return {
        type: "image_url",
        image_url: { url: part.url, ...(part.detail === undefined ? {} : { detail: part.detail }) },
      };
    case "file":
      return part.writtenAs === undefined ? encodeFile(part, vendor) : encodePart(part.writtenAs, vendor);
    case "other":
      throw refusedPart(`This model does not take ${partName(part.name)} parts.`);
  }
}

/** The name comes from the client: shown only if it looks like one. */
export function partName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : "such";
}

/** Null if any part is not text. */
export function joinedText(parts: readonly unknown[], between: "\n" | ""): string | null {
  const texts = parts.map((part) => {
    const { type, text } = fieldsOf(part);
    return type === "text" && typeof text === "string" ? text : null;
  });
  return texts.includes(null) ? null : texts.join(between);
}

const AUDIO = /^audio\/(?:x-)?(wav|wave|mp3|mpeg|m4a|mp4|flac|ogg|opus|webm|aac)$/;
const AUDIO_FORMATS: Readonly<Record<string, string>> = { wave: "wav", mpeg: "mp3", mp4: "m4a" };

export function encodeFile(part: FilePart, vendor: WireVendor): unknown {
  const { url, base64, audioFormat } = fileOf(part);
  if (audioFormat !== null)
    return { type: "input_audio", input_audio: { data: base64, format: audioFormat } };
  switch (vendor.filePart) {
    case "file":
      return { type: "file", file: { filename: part.filename ?? "file", file_data: url } };
    case "document_url":
      return {
        type: "document_url",
        document_url: url,
        ...(part.filename ? { document_name: part.filename } : {}),
      };
    case "file_url":
      return { type: "file_url", file_url: { url } };
  }
}

/** A file as a URL that states its type; `base64` is inline data alone, `audioFormat` null unless it is audio. */
export function fileOf({ data, filename = "", mediaType: said }: FilePart): {
  readonly url: string;
  readonly isRemote: boolean;
  readonly base64: string;
  readonly audioFormat: string | null;
} {
  const inline = readDataUrl(data);
  const mediaType = said ?? (inline?.mediaType || fileTypeByName(filename)) ?? "application/octet-stream";
  const [, audio] = AUDIO.exec(mediaType) ?? [];
  const isRemote = /^https?:\/\//.test(data);
  return {
    url: inline !== null || isRemote ? data : `data:${mediaType};base64,${data}`,
    isRemote,
    base64: inline === null ? data : data.slice(inline.start),
    audioFormat: audio === undefined ? null : (AUDIO_FORMATS[audio] ?? audio),
  };
}
