import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asJson, asList, asText, type Json } from "./ai-sdk-answer.ts";

const FOLDER = join(import.meta.dir, "..", "..", "..", "shared", "captures", "agents");

/** Captured requests of coding agents are kept beside the project, not in it: they are large and not ours. */
export const hasCaptures = existsSync(FOLDER);
if (!hasCaptures) console.log("replay: no captured agents here, nothing of theirs is tried");

/** As much of a client's wire as a round trip with tools needs. */
export type AgentWire = {
  readonly path: string;
  /** The body field that has the conversation. */
  readonly field: "messages" | "input";
  /** The tool calls of a reply. */
  callsOf(reply: Json): readonly { readonly name: string; readonly id: string }[];
  textOf(reply: Json): string;
  /** What a client appends to the conversation: the reply as it echoes it, and a result for each call. */
  nextOf(reply: Json, result: (id: string) => string): readonly Json[];
};

type AgentCapture = { readonly name: string; readonly wire: AgentWire; readonly body: Json };

/** Echoes only the tool calls, as most clients do. */
const CHAT: AgentWire = {
  path: "/v1/chat/completions",
  field: "messages",
  callsOf: (reply) =>
    asList(messageOf(reply)["tool_calls"]).map((call) => ({
      name: asText(asJson(call["function"])["name"]),
      id: asText(call["id"]),
    })),
  textOf: (reply) => asText(messageOf(reply)["content"]),
  nextOf(reply, result) {
    const { role, content, tool_calls: calls } = messageOf(reply);
    const results = CHAT.callsOf(reply).map(({ id }) => ({
      role: "tool",
      tool_call_id: id,
      content: result(id),
    }));
    return [{ role, content, tool_calls: calls }, ...results];
  },
};

const RESPONSES: AgentWire = {
  path: "/v1/responses",
  field: "input",
  callsOf: (reply) =>
    asList(reply["output"])
      .filter(({ type }) => type === "function_call" || type === "custom_tool_call")
      .map((item) => ({ name: asText(item["name"]), id: asText(item["call_id"]) })),
  textOf: (reply) =>
    asList(reply["output"])
      .flatMap((item) => asList(item["content"]))
      .map((part) => asText(part["text"]))
      .join(""),
  nextOf(reply, result) {
    const output = asList(reply["output"]);
    const results = output.flatMap(({ type, call_id: id }) =>
      id === undefined ? [] : [{ type: `${type}_output`, call_id: id, output: result(asText(id)) }],
    );
    return [...output, ...results];
  },
};

function messageOf(reply: Json): Json {
  return asJson(asJson(asList(reply["choices"])[0])["message"]);
}

/** The first requests of agents that offer tools; later turns are made from our own replies. */
export function firstTurns(): readonly AgentCapture[] {
  if (!hasCaptures) return [];
  return readdirSync(FOLDER)
    .toSorted()
    .flatMap((name) => {
      const { url, body } = asJson(JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
      const wire = [CHAT, RESPONSES].find(({ path }) => asText(url).endsWith(path));
      const request = asJson(typeof body === "string" ? JSON.parse(body) : body);
      if (wire === undefined || asList(request["tools"]).length === 0) return [];
      const isFirst = asList(request[wire.field]).at(-1)?.["role"] === "user";
      return isFirst ? [{ name, wire, body: request }] : [];
    });
}

/** The same request with `prompt` in place of the agent's own, and not streamed. */
export function withPrompt({ wire, body }: AgentCapture, prompt: string): Json {
  const { stream: _stream, stream_options: _options, ...rest } = body;
  const conversation = asList(body[wire.field]);
  const { content, ...last } = asJson(conversation.at(-1));
  const parts = asList(content);
  const was = typeof content === "string" ? content : asText(asJson(parts.at(-1))["text"]);
  // One agent sends a prompt of several words as a JSON string, in quotes.
  const text = was.startsWith('"') ? JSON.stringify(prompt) : prompt;
  const replaced =
    typeof content === "string" ? text : [...parts.slice(0, -1), { ...asJson(parts.at(-1)), text }];
  return { ...rest, [wire.field]: [...conversation.slice(0, -1), { ...last, content: replaced }] };
}
