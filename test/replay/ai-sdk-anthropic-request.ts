import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  ReasoningPart,
  ToolCall,
} from "../../gateway/src/contract/index.ts";
import { asJson, asList, asText, type Json, joinTexts } from "./ai-sdk-answer.ts";
import { digest, type RequestReader, said } from "./ai-sdk-request.ts";

export const anthropicRequests: RequestReader = { decode, lines };

const SAYABLE = new Set([
  "text",
  "image",
  "document",
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
]);

function blocksOf(content: unknown): readonly Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
}

function decode(body: Json): ChatRequest | null {
  const messages: ChatMessage[] = blocksOf(body["system"]).map((block) => ({
    role: "system",
    content: asText(block["text"]),
  }));
  for (const { role, content } of asList(body["messages"])) {
    const blocks = blocksOf(content);
    if (blocks.some((block) => !isSayable(block))) return null;
    if (role === "assistant") messages.push(decodeAssistant(blocks));
    else messages.push(...blocks.map(decodeUser));
  }
  const tools = asList(body["tools"]);
  if (tools.some((tool) => !("input_schema" in tool))) return null;
  return {
    messages,
    maxOutputTokens: Number(body["max_tokens"] ?? 1_000),
    ...(asJson(body["thinking"])["type"] === "enabled" ? { reasoningEffort: "low" } : {}),
    tools: tools.map(({ name, description, input_schema }) => ({
      name: asText(name),
      parameters: input_schema,
      ...(description === undefined ? {} : { description: asText(description) }),
    })),
  };
}

function isSayable(block: Json): boolean {
  const { type, data } = asJson(block["source"]);
  if (type !== undefined && type !== "base64" && type !== "url") return false;
  // Data that the recorder truncated is no longer base64.
  if (type === "base64" && !/^[A-Za-z0-9+/]+={0,2}$/.test(asText(data))) return false;
  const inner = block["type"] === "tool_result" ? blocksOf(block["content"]) : [];
  return (
    SAYABLE.has(asText(block["type"])) &&
    inner.every((part) => part["type"] === "text" || (part["type"] === "image" && isSayable(part)))
  );
}

function decodeUser(block: Json): ChatMessage {
  if (block["type"] === "tool_result") {
    const content = blocksOf(block["content"]).map(decodePart);
    return { role: "tool", toolCallId: asText(block["tool_use_id"]), content };
  }
  return { role: "user", content: [decodePart(block)] };
}

function decodePart(block: Json): ContentPart {
  const source = asJson(block["source"]);
  const data = asText(source["url"]) || `data:${source["media_type"]};base64,${source["data"]}`;
  if (block["type"] === "image") return { type: "image", url: data };
  if (block["type"] === "document") return { type: "file", data, mediaType: "application/pdf" };
  return { type: "text", text: asText(block["text"]) };
}

function decodeAssistant(blocks: readonly Json[]): ChatMessage {
  const toolCalls: ToolCall[] = [];
  const reasoning: ReasoningPart[] = [];
  for (const block of blocks) {
    if (block["type"] === "tool_use") {
      const { id, name, input } = block;
      toolCalls.push({ id: asText(id), name: asText(name), arguments: JSON.stringify(input) });
    }
    if (block["type"] === "thinking") {
      const signature = `anthropic/reasoning:${block["signature"]}`;
      reasoning.push({ text: asText(block["thinking"]), signature });
    }
    if (block["type"] === "redacted_thinking") {
      reasoning.push({ text: "", signature: `anthropic/redacted:${block["data"]}` });
    }
  }
  return { role: "assistant", content: joinTexts(blocks, "text"), toolCalls, reasoning };
}

function lines(body: Json): readonly string[] {
  const system = blocksOf(body["system"]).flatMap(({ text }) => said("system", asText(text)));
  const talk = asList(body["messages"]).flatMap(({ role, content }) => {
    const blocks = blocksOf(content);
    if (role !== "assistant") return blocks.flatMap(userLines);
    const thoughts = blocks.flatMap((block) =>
      "signature" in block || "data" in block
        ? [`thinks ${digest(block["signature"] ?? block["data"])}`]
        : [],
    );
    const calls = blocks
      .filter(({ type }) => type === "tool_use")
      .map(({ id, name, input }) => `calls ${name} ${id} ${JSON.stringify(input)}`);
    return [...thoughts, ...said("assistant", joinTexts(blocks, "text")), ...calls];
  });
  const tools = asList(body["tools"]).map(({ name, input_schema }) => {
    const { $schema: _, ...schema } = asJson(input_schema);
    return `tool ${name} ${JSON.stringify(Object.entries(schema).toSorted())}`;
  });
  return [...system, ...talk, ...tools];
}

function userLines(block: Json): string[] {
  const source = asJson(block["source"]);
  switch (block["type"]) {
    case "tool_result": {
      const parts = blocksOf(block["content"]);
      const text = parts.flatMap((part) => (part["type"] === "text" ? [asText(part["text"])] : []));
      const files = parts.flatMap((part) => (part["type"] === "text" ? [] : userLines(part)));
      return [`result ${block["tool_use_id"]} ${text.join("\n")}`, ...files];
    }
    case "text":
      return said("user", asText(block["text"]));
    default:
      return [`user ${block["type"]} ${source["media_type"]} ${digest(source["url"] ?? source["data"])}`];
  }
}
