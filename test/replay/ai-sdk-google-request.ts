import type { ChatMessage, ChatRequest, ToolCall } from "../../gateway/src/contract/index.ts";
import { asJson, asList, asText, type Json, joinTexts } from "./ai-sdk-answer.ts";
import { digest, type RequestReader, said } from "./ai-sdk-request.ts";

export const googleRequests: RequestReader = { decode, lines };

const SAYABLE = ["text", "inlineData", "functionCall", "functionResponse"];

const partsOf = (content: unknown) => asList(asJson(content)["parts"]);
const declarationsOf = (body: Json) =>
  asList(body["tools"]).flatMap((tool) =>
    asList(tool["functionDeclarations"] ?? tool["function_declarations"]),
  );

function decode(body: Json): ChatRequest | null {
  const system = joinTexts(partsOf(body["systemInstruction"]), "text");
  const messages: ChatMessage[] = system === "" ? [] : [{ role: "system", content: system }];
  const open: ToolCall[] = [];
  for (const content of asList(body["contents"])) {
    const parts = partsOf(content);
    if (parts.some((part) => !SAYABLE.some((kind) => kind in part) || part["thought"] === true)) return null;
    if (content["role"] === "model") {
      const toolCalls = parts.flatMap((part) =>
        "functionCall" in part ? [decodeCall(part, messages.length)] : [],
      );
      open.push(...toolCalls);
      messages.push({ role: "assistant", content: joinTexts(parts, "text"), toolCalls });
      continue;
    }
    for (const part of parts) {
      const message = decodeUser(part, open);
      if (message === null) return null;
      messages.push(message);
    }
  }
  if (asList(body["tools"]).some((tool) => declarationsOf({ tools: [tool] }).length === 0)) return null;
  const tools = declarationsOf(body).map(({ name }) => ({ name: asText(name) }));
  return { messages, maxOutputTokens: 1_000, tools };
}

function decodeCall(part: Json, turn: number): ToolCall {
  const { id, name, args } = asJson(part["functionCall"]);
  const signature = asText(part["thoughtSignature"]);
  return {
    id: asText(id) || `${turn}-${name}-${JSON.stringify(args).length}`,
    name: asText(name),
    arguments: JSON.stringify(args ?? {}),
    ...(signature === "" ? {} : { signature: `google/call:${signature}` }),
  };
}

function decodeUser(part: Json, open: ToolCall[]): ChatMessage | null {
  const { mimeType, data } = asJson(part["inlineData"]);
  const { name } = asJson(part["functionResponse"]);
  if (name !== undefined) {
    const at = open.findIndex((call) => call.name === name);
    const [call] = at < 0 ? [] : open.splice(at, 1);
    return call === undefined ? null : { role: "tool", toolCallId: call.id, content: "done" };
  }
  if (mimeType === undefined) {
    return { role: "user", content: [{ type: "text", text: asText(part["text"]) }] };
  }
  const mediaType = asText(mimeType);
  const isText = mediaType.startsWith("text/");
  // Data that the recorder truncated is no longer base64, and text files are sent to the model in another form.
  if (isText || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(asText(data))) return null;
  return { role: "user", content: [{ type: "file", mediaType, data: asText(data) }] };
}

function lines(body: Json): readonly string[] {
  const system = said("system", joinTexts(partsOf(body["systemInstruction"]), "text"));
  const talk = asList(body["contents"]).flatMap((content) => {
    const parts = partsOf(content);
    if (content["role"] !== "model") return parts.flatMap(userLines);
    const calls = parts.flatMap((part) => {
      const { name, args } = asJson(part["functionCall"]);
      const seal = asText(part["thoughtSignature"]);
      return name === undefined ? [] : [`calls ${name} ${JSON.stringify(args ?? {})} ${digest(seal)}`];
    });
    return [...said("model", joinTexts(parts, "text")), ...calls];
  });
  return [...system, ...talk, ...declarationsOf(body).map(({ name }) => `tool ${name}`)];
}

function userLines(part: Json): string[] {
  const { mimeType, data } = asJson(part["inlineData"]);
  const { name } = asJson(part["functionResponse"]);
  if (name !== undefined) return [`result of ${name}`];
  return mimeType === undefined ? said("user", asText(part["text"])) : [`user ${mimeType} ${digest(data)}`];
}
