import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  ResponseFormat,
  Tool,
  ToolCall,
  ToolChoice,
} from "../../gateway/src/contract/index.ts";

/** Recorded JSON of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** A recorded request as a neutral one, or what in it cannot be expressed. */
export function neutralRequest(wire: Fields): ChatRequest | { readonly inexpressible: string } {
  const messages: ChatMessage[] = [];
  for (const message of list(wire["messages"])) {
    const neutral = neutralMessage(message);
    if (typeof neutral === "string") return { inexpressible: neutral };
    messages.push(neutral);
  }
  const tools = list(wire["tools"]);
  const hosted = tools.find((tool) => tool["type"] !== "function");
  if (hosted !== undefined) return { inexpressible: `a tool of type ${hosted["type"]}` };
  return {
    messages,
    maxOutputTokens: 100,
    ...(tools.length > 0 ? { tools: tools.map((tool) => neutralTool(fields(tool["function"]))) } : {}),
    ...given("toolChoice", neutralChoice(wire["tool_choice"])),
    ...given("responseFormat", neutralFormat(fields(wire["response_format"]))),
    ...given("temperature", wire["temperature"] as number | undefined),
    ...given("topP", wire["top_p"] as number | undefined),
    ...given("stop", wire["stop"] as string[] | undefined),
    ...given("reasoningEffort", wire["reasoning_effort"] as string | undefined),
  };
}

function neutralMessage(message: Fields): ChatMessage | string {
  const { role, content } = message;
  const parts = Array.isArray(content) ? list(content) : null;
  const odd = parts?.find((part) => part["type"] !== "text" && neutralPart(part) === null);
  if (odd !== undefined && role !== "assistant") return `a part of type ${odd["type"]}`;
  const text = parts === null ? String(content ?? "") : parts.map((part) => part["text"] ?? "").join("");
  switch (role) {
    case "system":
    case "developer":
      return { role, content: text };
    case "user":
      return {
        role,
        content: parts === null ? text : parts.map(neutralPart).filter((part) => part !== null),
      };
    case "assistant":
      return { role, content: text || null, toolCalls: list(message["tool_calls"]).map(neutralCall) };
    case "tool":
      return { role, toolCallId: String(message["tool_call_id"]), content: text };
    default:
      return `a role ${role}`;
  }
}

function neutralPart(part: Fields): ContentPart | null {
  const { url, detail } = fields(part["image_url"]);
  const { filename, file_data: data } = fields(part["file"]);
  const { data: sound, format } = fields(part["input_audio"]);
  switch (part["type"]) {
    case "text":
      return { type: "text", text: String(part["text"]) };
    case "image_url":
      return { type: "image", url: String(url ?? part["image_url"]), ...given("detail", detail as string) };
    case "file":
      return { type: "file", data: String(data), ...given("filename", filename as string) };
    case "document_url":
      return { type: "file", data: String(part["document_url"]) };
    case "input_audio":
      return { type: "file", data: String(sound), mediaType: `audio/${format}` };
    default:
      return null;
  }
}

function neutralCall(call: Fields): ToolCall {
  const { name, arguments: text } = fields(call["function"]);
  return { id: String(call["id"]), name: String(name), arguments: String(text ?? "") };
}

function neutralTool({ name, description, parameters, strict }: Fields): Tool {
  return {
    name: String(name),
    ...given("description", description as string | undefined),
    ...given("parameters", parameters),
    ...given("strict", strict as boolean | undefined),
  };
}

function neutralChoice(choice: unknown): ToolChoice | undefined {
  if (typeof choice === "string") return choice as ToolChoice;
  const { name } = fields(fields(choice)["function"]);
  return typeof name === "string" ? { name } : undefined;
}

function neutralFormat(format: Fields): ResponseFormat | undefined {
  const { name, schema, strict } = fields(format["json_schema"]);
  if (format["type"] === "json_object") return { type: "json" };
  if (format["type"] !== "json_schema") return undefined;
  return {
    type: "json_schema",
    name: String(name),
    schema,
    ...given("strict", strict as boolean | undefined),
  };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined || value === null ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

export function fields(value: unknown): Fields {
  return (typeof value === "object" && value !== null ? value : {}) as Fields;
}

export function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}
