import type { FinishReason } from "../../gateway/src/contract/index.ts";
import {
  type Answer,
  asCount,
  asJson,
  asList,
  asText,
  type Json,
  joinTexts,
  parseServerSentEvents,
  serverSentEvents,
  usageOf,
  type WireReader,
} from "./ai-sdk-answer.ts";

const REASONS: Readonly<Record<string, FinishReason>> = { MAX_TOKENS: "length", TOOL_CALL: "tool_calls" };

export const cohereWire: WireReader = {
  stream: serverSentEvents,
  parse: parseServerSentEvents,
  eventsOf,
  read,
  textOf,
};

function eventsOf(reply: Json): readonly unknown[] {
  const message = asJson(reply["message"]);
  const content = asList(message["content"]).flatMap((part, index) => {
    const kind = part["type"] === "thinking" ? "thinking" : "text";
    return [
      {
        type: "content-start",
        index,
        delta: { message: { content: { type: kind, [kind]: "" } } },
      },
      { type: "content-delta", index, delta: { message: { content: { [kind]: part[kind] } } } },
      { type: "content-end", index },
    ];
  });
  const calls = asList(message["tool_calls"]).flatMap((call, index) => {
    const { name, arguments: text } = asJson(call["function"]);
    const start = { ...call, function: { name, arguments: "" } };
    return [
      { type: "tool-call-start", index, delta: { message: { tool_calls: start } } },
      {
        type: "tool-call-delta",
        index,
        delta: { message: { tool_calls: { function: { arguments: text } } } },
      },
      { type: "tool-call-end", index },
    ];
  });
  return [
    { type: "message-start", id: reply["id"] },
    ...content,
    ...calls,
    { type: "message-end", delta: { finish_reason: reply["finish_reason"], usage: reply["usage"] } },
  ];
}

function read(events: readonly unknown[]): Answer | null {
  let [text, reasoning] = ["", ""];
  const calls: { name: string; text: string }[] = [];
  for (const event of events.map(asJson)) {
    const delta = asJson(event["delta"]);
    const message = asJson(delta["message"]);
    const content = asJson(message["content"]);
    const call = asJson(asJson(message["tool_calls"])["function"]);
    if (event["type"] === "content-delta") {
      text += asText(content["text"]);
      reasoning += asText(content["thinking"]);
    }
    if (event["type"] === "tool-call-start") {
      calls.push({ name: asText(call["name"]), text: asText(call["arguments"]) });
    }
    const last = calls.at(-1);
    if (event["type"] === "tool-call-delta" && last) last.text += asText(call["arguments"]);
    if (event["type"] !== "message-end") continue;
    const reason = asText(delta["finish_reason"]);
    const { billed_units, tokens } = asJson(delta["usage"]);
    const usage = (billed_units ?? tokens) ? asJson(billed_units ?? tokens) : null;
    if (reason === "" || reason === "ERROR") return null;
    return {
      text,
      reasoning,
      calls: calls.map(({ name, text }) => ({ name, arguments: JSON.parse(text || "{}") ?? {} })),
      reason: REASONS[reason] ?? (calls.length > 0 ? "tool_calls" : "stop"),
      usage:
        usage === null
          ? null
          : usageOf({ input: asCount(usage["input_tokens"]), output: asCount(usage["output_tokens"]) }),
    };
  }
  return null;
}

function textOf(reply: Json): string {
  return joinTexts(asList(asJson(reply["message"])["content"]), "text");
}
