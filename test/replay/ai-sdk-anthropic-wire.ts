import type { FinishReason } from "../../gateway/src/contract/index.ts";
import {
  type Answer,
  asCount,
  asJson,
  asList,
  asText,
  type Json,
  parseServerSentEvents,
  serverSentEvents,
  usageOf,
  type WireReader,
} from "./ai-sdk-answer.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "content_filter",
  tool_use: "tool_calls",
};
const CLIENT_CALL = "tool_use";

export const anthropicWire: WireReader = {
  stream: serverSentEvents,
  parse: parseServerSentEvents,
  eventsOf,
  read,
  textOf,
};

function eventsOf(reply: Json): readonly unknown[] {
  const { content, stop_reason, stop_sequence, stop_details, usage, ...message } = reply;
  const blocks = asList(content).flatMap((block, index) => [
    { type: "content_block_start", index, content_block: startOf(block) },
    ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]);
  const start = { ...message, content: [], stop_reason: null, usage: { ...asJson(usage), output_tokens: 1 } };
  return [
    { type: "message_start", message: start },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence, stop_details }, usage },
    { type: "message_stop" },
  ];
}

function startOf(block: Json): Json {
  switch (block["type"]) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case CLIENT_CALL:
      return { ...block, input: {} };
    case "compaction":
      return { ...block, content: "" };
    default:
      return block;
  }
}

function deltasOf(block: Json): readonly Json[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text_delta", text: block["text"] }];
    case "thinking":
      return [
        { type: "thinking_delta", thinking: block["thinking"] },
        { type: "signature_delta", signature: block["signature"] },
      ];
    case CLIENT_CALL:
      return [{ type: "input_json_delta", partial_json: JSON.stringify(block["input"]) }];
    case "compaction":
      return [{ type: "compaction_delta", content: block["content"] }];
    default:
      return [];
  }
}

type Reading = {
  id: unknown;
  open: boolean;
  stop: string | null;
  usage: Json;
  texts: string[];
  reasoning: string;
  calls: Map<unknown, { name: string; json: string; input: unknown }>;
};

function read(events: readonly unknown[]): Answer | null {
  const now: Reading = {
    id: null,
    open: false,
    stop: null,
    usage: {},
    texts: [],
    reasoning: "",
    calls: new Map(),
  };
  for (const event of events.map(asJson)) {
    if (event["type"] === "error") return null;
    if (event["type"] === "message_start") {
      const { id, usage } = asJson(event["message"]);
      // Another answer begins in the middle of this one.
      if (now.open && id !== now.id) return null;
      Object.assign(now, { id, open: true, usage: now.open ? now.usage : usage });
    }
    readBlock(event, now);
    if (event["type"] === "message_delta") {
      now.stop = asText(asJson(event["delta"])["stop_reason"]) || null;
      now.usage = { ...now.usage, ...definedOf(asJson(event["usage"])) };
    }
    if (event["type"] === "message_stop") return answerOf(now);
  }
  return null;
}

function readBlock(event: Json, now: Reading): void {
  const block = asJson(event["content_block"]);
  if (block["type"] === CLIENT_CALL) {
    now.calls.set(event["index"], { name: asText(block["name"]), json: "", input: block["input"] });
  }
  const delta = asJson(event["delta"]);
  if (delta["type"] === "text_delta") now.texts.push(asText(delta["text"]));
  if (delta["type"] === "compaction_delta") now.texts.push(asText(delta["content"]));
  if (delta["type"] === "thinking_delta") now.reasoning += asText(delta["thinking"]);
  const call = now.calls.get(event["index"]);
  if (delta["type"] === "input_json_delta" && call) call.json += asText(delta["partial_json"]);
}

function answerOf({ stop, usage, texts, reasoning, calls }: Reading): Answer | null {
  if (stop === null) return null;
  const reason = Object.hasOwn(REASONS, stop) ? REASONS[stop] : undefined;
  const iterations = asList(usage["iterations"]);
  // Tokens of a compaction during the call are listed only in its own iteration; those of a fallback model are already
  // the total.
  const own = iterations.some(({ type }) => type === "fallback_message")
    ? []
    : iterations.filter(({ type }) => type === "message" || type === "compaction");
  const sum = (field: string) =>
    own.length > 0 ? own.reduce((total, line) => total + asCount(line[field]), 0) : asCount(usage[field]);
  const cached = asCount(usage["cache_read_input_tokens"]);
  const written = asCount(usage["cache_creation_input_tokens"]);
  return {
    text: texts.join(""),
    reasoning,
    calls: [...calls.values()].map(({ name, json, input }) => ({
      name,
      arguments: json === "" ? input : JSON.parse(json),
    })),
    reason: reason ?? (calls.size > 0 ? "tool_calls" : "stop"),
    usage: usageOf({
      input: sum("input_tokens") + cached + written,
      output: sum("output_tokens"),
      cached,
      written,
      reasoning: asCount(asJson(usage["output_tokens_details"])["thinking_tokens"]),
    }),
  };
}

function definedOf(value: Json): Json {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && field !== undefined),
  );
}

/** A summary that the provider made during the call is text like any other. */
function textOf(reply: Json): string {
  return asList(reply["content"])
    .map((block) => (block["type"] === "compaction" ? asText(block["content"]) : asText(block["text"])))
    .join("");
}
