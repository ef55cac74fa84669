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

const REASONS: Readonly<Record<string, FinishReason>> = {
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MODEL_ARMOR: "content_filter",
  IMAGE_SAFETY: "content_filter",
};
const FAILED = "MALFORMED_FUNCTION_CALL";
const COUNTS = ["promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount"];

export const googleWire: WireReader = {
  stream: serverSentEvents,
  parse: parseServerSentEvents,
  eventsOf: (reply) => [reply],
  read,
  textOf,
};

type Call = { name: string; arguments: Record<string, unknown> };

function read(events: readonly unknown[]): Answer | null {
  let [text, reasoning, reason] = ["", "", ""];
  let usage: Json | null = null;
  let isBlocked = false;
  const calls: Call[] = [];
  for (const chunk of events.map(asJson)) {
    if ("error" in chunk) return null;
    if ("usageMetadata" in chunk) usage = asJson(chunk["usageMetadata"]);
    if (asText(asJson(chunk["promptFeedback"])["blockReason"]) !== "") isBlocked = true;
    const [candidate] = asList(chunk["candidates"]);
    if (candidate === undefined) continue;
    for (const part of asList(asJson(candidate["content"])["parts"])) {
      if (part["thought"] === true) reasoning += asText(part["text"]);
      else text += asText(part["text"]);
      if ("functionCall" in part) readCall(asJson(part["functionCall"]), calls);
    }
    reason = asText(candidate["finishReason"]) || reason;
  }
  if ((reason === "" && !isBlocked) || reason === FAILED) return null;
  return {
    text,
    reasoning,
    calls,
    reason: isBlocked ? "content_filter" : (REASONS[reason] ?? (calls.length > 0 ? "tool_calls" : "stop")),
    usage: usage !== null && COUNTS.some((name) => name in (usage ?? {})) ? countsOf(usage) : null,
  };
}

function spokenIn(details: unknown): number {
  const parts = (Array.isArray(details) ? details : []).map(asJson);
  return asCount(parts.find(({ modality }) => modality === "AUDIO")?.["tokenCount"]);
}

function countsOf(usage: Json) {
  const thoughts = asCount(usage["thoughtsTokenCount"]);
  return usageOf({
    input: asCount(usage["promptTokenCount"]) + asCount(usage["toolUsePromptTokenCount"]),
    output: asCount(usage["candidatesTokenCount"]) + thoughts,
    cached: asCount(usage["cachedContentTokenCount"]),
    spoken: spokenIn(usage["promptTokensDetails"]) - spokenIn(usage["cacheTokensDetails"]),
    reasoning: thoughts,
  });
}

function readCall(piece: Json, calls: Call[]): void {
  const name = asText(piece["name"]);
  if (name !== "") calls.push({ name, arguments: { ...asJson(piece["args"]) } });
  const call = calls.at(-1);
  if (call === undefined) return;
  for (const argument of asList(piece["partialArgs"])) {
    const steps = asText(argument["jsonPath"]).match(/[^.$[\]]+/g) ?? [];
    place(call.arguments, steps, argument);
  }
}

/** String arguments come in pieces, which are joined; everything else comes whole. */
function place(root: Record<string, unknown>, steps: readonly string[], argument: Json): void {
  let at: Record<string, unknown> = root;
  steps.forEach((step, index) => {
    const following = steps[index + 1];
    if (following === undefined) {
      at[step] = joined(argument, at[step]);
      return;
    }
    at[step] ??= /^\d+$/.test(following) ? [] : {};
    at = at[step] as Record<string, unknown>;
  });
}

function joined(argument: Json, before: unknown): unknown {
  if ("stringValue" in argument) return asText(before) + asText(argument["stringValue"]);
  if ("numberValue" in argument) return argument["numberValue"];
  if ("boolValue" in argument) return argument["boolValue"];
  return "nullValue" in argument ? null : before;
}

function textOf(reply: Json): string {
  const [candidate = {}] = asList(reply["candidates"]);
  const parts = asList(asJson(candidate["content"])["parts"]);
  return joinTexts(
    parts.filter(({ thought }) => thought !== true),
    "text",
  );
}
