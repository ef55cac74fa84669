import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  ReasoningPart,
  ResponseFormat,
  Tool,
  ToolCall,
} from "../../../gateway/src/contract/index.ts";
import { isObject } from "../../../gateway/src/kit/index.ts";
import { type Fields, flagIn, listIn, numberIn, objectIn, textIn } from "./fields.ts";
import { badField } from "./wire-error.ts";

/** For clients that name no limit of their own. */
const USUAL_TOKENS = 8_192;
const MAX_TOKENS = 1_000_000;
const MAX_ANSWERS = 128;

/** A request of OpenAI's chat completions as the engine reads it. What it cannot follow is refused by its name. */
export function decodeChatRequest(body: Fields): ChatRequest {
  const tools = listIn(body, "tools").map(decodeTool);
  const limit = (name: string) => numberIn(body, name, { min: 1, max: MAX_TOKENS, whole: true });
  const reasoningEffort =
    textIn(body, "reasoning_effort") ?? textIn(objectIn(body, "reasoning") ?? {}, "effort");
  const stop = typeof body["stop"] === "string" ? [body["stop"]] : body["stop"];
  if (stop != null && !isTexts(stop)) throw badField("stop", "must be a string or a list of strings");
  const responseFormat = decodeFormat(objectIn(body, "response_format"));
  const messages = listIn(body, "messages");
  if (messages.length === 0) throw badField("messages", "must be a list of at least one message");
  return {
    messages: messages.map(decodeMessage),
    maxOutputTokens: limit("max_completion_tokens") ?? limit("max_tokens") ?? USUAL_TOKENS,
    ...(tools.length === 0 ? {} : withChoice(tools, body["tool_choice"] ?? undefined)),
    wireFields: { parallel_tool_calls: flagIn(body, "parallel_tool_calls") },
    responseFormat,
    reasoningEffort,
    stop: stop ?? undefined,
    seed: numberIn(body, "seed", { min: -(2 ** 53), max: 2 ** 53 }),
    n: numberIn(body, "n", { min: 1, max: MAX_ANSWERS, whole: true }),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function decodeTool(tool: Fields, at: number): Tool {
  const named = objectIn(tool, "function");
  const name = named && textIn(named, "name");
  if (!named || !name) throw badField(`tools[${at}]`, "must be a function with a name");
  const parameters = named["parameters"] ?? undefined;
  return { name, parameters, description: textIn(named, "description"), strict: flagIn(named, "strict") };
}

/** With `allowed_tools`, the others are not there. */
function withChoice(tools: readonly Tool[], given: unknown): Pick<ChatRequest, "tools" | "toolChoice"> {
  if (given === undefined || given === "auto" || given === "none" || given === "required")
    return { tools, toolChoice: given };
  const chosen = isObject(given) ? given : {};
  const allowed = objectIn(chosen, "allowed_tools");
  if (allowed !== undefined) {
    const names = new Set(listIn(allowed, "tools").map(nameOfChosen));
    const toolChoice = allowed["mode"] === "required" ? "required" : "auto";
    return { tools: tools.filter(({ name }) => names.has(name)), toolChoice };
  }
  const name = nameOfChosen(chosen);
  if (name !== undefined && tools.some((tool) => tool.name === name)) return { tools, toolChoice: { name } };
  throw badField("tool_choice", "must be auto, none, required or name one of the tools");
}

function nameOfChosen(chosen: Fields): string | undefined {
  return textIn(objectIn(chosen, "function") ?? {}, "name");
}

function decodeFormat(format: Fields | undefined): ResponseFormat | undefined {
  switch (format?.["type"]) {
    case undefined:
    case "text":
      return format === undefined ? undefined : { type: "text" };
    case "json_object":
      return { type: "json" };
    case "json_schema": {
      const given = objectIn(format, "json_schema") ?? {};
      const schema = objectIn(given, "schema");
      if (schema === undefined) throw badField("response_format.json_schema.schema", "must be a JSON schema");
      return {
        type: "json_schema",
        name: textIn(given, "name") ?? "response",
        schema,
        description: textIn(given, "description"),
        strict: flagIn(given, "strict"),
      };
    }
    default:
      throw badField("response_format", "must be of the type text, json_object or json_schema");
  }
}

function decodeMessage(message: Fields, at: number): ChatMessage {
  const path = `messages[${at}]`;
  const { role, content } = message;
  switch (role) {
    case "system":
    case "developer":
      return { role, content: plainText(content, path) ?? "" };
    case "user":
      return { role, content: contentOf(content, path) };
    case "tool":
      return {
        role,
        toolCallId: textIn(message, "tool_call_id") ?? "",
        content: contentOf(content, path),
      };
    case "assistant":
      return decodeAssistant(message, path);
    default:
      throw badField(`${path}.role`, "must be system, developer, user, assistant or tool");
  }
}

function decodeAssistant(message: Fields, path: string): ChatMessage {
  const toolCalls = listIn(message, "tool_calls").map((call): ToolCall => {
    const called = objectIn(call, "function") ?? {};
    const name = textIn(called, "name");
    if (name === undefined) throw badField(`${path}.tool_calls`, "must be calls of functions");
    return { id: textIn(call, "id") ?? "", name, arguments: textIn(called, "arguments") ?? "" };
  });
  return {
    role: "assistant",
    content: plainText(message["content"], path) ?? textIn(message, "refusal") ?? null,
    toolCalls,
    reasoning: decodeReasoning(message),
  };
}

/** The signature comes in a detail, with its text or beside it, depending on how a client has joined the pieces. */
function decodeReasoning(message: Fields): ReasoningPart[] {
  const plain = textIn(message, "reasoning_content") ?? textIn(message, "reasoning") ?? "";
  const details = listIn(message, "reasoning_details");
  const signed = details.flatMap((detail): ReasoningPart[] => {
    const signature = textIn(detail, "signature");
    const text = plain || details.map((each) => textIn(each, "text") ?? "").join("");
    return signature === undefined ? [] : [{ text, signature }];
  });
  return signed.length > 0 || plain === "" ? signed : [{ text: plain }];
}

function plainText(content: unknown, path: string): string | null {
  const parts = content == null ? [] : contentOf(content, path);
  if (typeof parts === "string") return parts;
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === 0 ? null : texts.join("");
}

function contentOf(content: unknown, path: string): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : null;
  if (parts === null) throw badField(`${path}.content`, "must be a string or a list of parts");
  return parts.map((part: unknown, at) => decodePart(part, `${path}.content[${at}]`));
}

function decodePart(part: unknown, path: string): ContentPart {
  const fields = isObject(part) ? part : {};
  const inside = (name: string) => objectIn(fields, name) ?? {};
  switch (fields["type"]) {
    case "text":
      return { type: "text", text: textIn(fields, "text") ?? "" };
    case "refusal":
      return { type: "text", text: textIn(fields, "refusal") ?? "" };
    case "image_url":
      return { type: "image", url: textIn(inside("image_url"), "url") ?? "" };
    case "input_audio": {
      const { format } = inside("input_audio");
      const data = textIn(inside("input_audio"), "data") ?? "";
      return { type: "file", mediaType: `audio/${String(format)}`, data };
    }
    case "file": {
      const filename = textIn(inside("file"), "filename");
      const data = textIn(inside("file"), "file_data") ?? "";
      return { type: "file", data, filename };
    }
    default:
      throw badField(path, "must be a part of the type text, image_url, input_audio or file");
  }
}
