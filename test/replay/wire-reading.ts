import type { Recording } from "./recording.ts";

/** What a recording says, read plainly and without any code of the adapter. */
type Reading = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finish: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number;
  /** True if there is an error in the answer, or nothing at all. */
  readonly failed: boolean;
};

// Recorded JSON of unknown shape.
type Json = { readonly [name: string]: Json } & readonly Json[];

export function readRecording(recording: Recording): Reading {
  const body = new TextDecoder().decode(recording.body);
  const chunks = chunksOf(body);
  const choices = chunks.flatMap((chunk) => list(chunk["choices"])).filter((each) => !each["index"]);
  const isStream = !body.trim().startsWith("{");
  const pieces = choices.map((each) => object((isStream ? each["delta"] : each["message"]) ?? each["delta"]));
  const calls = callsOf(pieces.flatMap((piece) => list(piece["tool_calls"])));
  const usage = chunks.map(usageOf).findLast((each) => each !== null) ?? null;
  const word = choices.map((each) => string(each["finish_reason"])).findLast((each) => each !== "") ?? null;
  return {
    text: pieces.map((piece) => textOf(piece["content"], "text")).join(""),
    reasoning: pieces.map(reasoningOf).join(""),
    calls,
    finish: word === "stop" && calls.length > 0 ? "tool_calls" : word,
    ...countsOf(usage),
    failed: chunks.some((chunk) => chunk["error"]) || word === null,
  };
}

function chunksOf(body: string): readonly Json[] {
  if (body.trim().startsWith("{")) return [JSON.parse(body)];
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:") && !line.includes("[DONE]"))
    .map((line) => JSON.parse(line.slice(5)));
}

function reasoningOf(piece: Json): string {
  const told = string(piece["reasoning_content"]) || string(piece["reasoning"]);
  const details = list(piece["reasoning_details"])
    .map((detail) => string(detail["text"]) || string(detail["summary"]))
    .join("");
  return (told || details) + textOf(piece["content"], "thinking");
}

/** Content is a string or a list of parts; reasoning is a list of parts within a part. */
function textOf(content: Json | undefined, kind: "text" | "thinking"): string {
  if (typeof content === "string") return kind === "text" ? content : "";
  return list(content)
    .filter((part) => string(part["type"]) === kind)
    .map((part) => (kind === "text" ? string(part["text"]) : textOf(part["thinking"], "text")))
    .join("");
}

function callsOf(fragments: readonly Json[]): Reading["calls"] {
  const calls = new Map<string, { name: string; arguments: string }>();
  for (const fragment of fragments) {
    const id = string(fragment["id"]);
    const key =
      Number.isInteger(fragment["index"]) && !calls.has(id) ? `#${fragment["index"]}` : id || "only";
    const place =
      calls.has(key) && id !== "" && string(object(fragment["function"])["name"]) !== "" ? id : key;
    const call = calls.get(place) ?? { name: "", arguments: "" };
    call.name ||= string(object(fragment["function"])["name"]);
    call.arguments += string(object(fragment["function"])["arguments"]);
    calls.set(place, call);
  }
  return [...calls.values()].map((call) => ({ ...call, arguments: call.arguments || "{}" }));
}

function usageOf(chunk: Json): Json | null {
  const usage = chunk["usage"] ?? object(chunk["x_groq"])["usage"];
  return usage === undefined || usage === null ? null : usage;
}

function countsOf(usage: Json | null) {
  if (usage === null) return { inputTokens: null, outputTokens: null, cachedTokens: 0 };
  const input = Number(usage["prompt_tokens"]);
  const output = Number(usage["completion_tokens"]);
  const left = Number(usage["total_tokens"]) - input - output;
  const told = object(usage["completion_tokens_details"])["reasoning_tokens"] ?? usage["reasoning_tokens"];
  const heard = Number(object(usage["prompt_tokens_details"])["audio_tokens"] ?? 0);
  // Gemini includes its reasoning tokens only in the total.
  const thought = told === undefined && left !== heard ? left : Number(told ?? 0);
  const details = object(usage["prompt_tokens_details"])["cached_tokens"];
  return {
    inputTokens: input + (left > 0 && left === heard && left !== thought ? left : 0),
    outputTokens: output + (left > 0 && left === thought ? left : 0),
    cachedTokens: Math.min(
      input,
      Number(details ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"] ?? 0),
    ),
  };
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function object(value: Json | undefined): Json {
  return (typeof value === "object" && value !== null ? value : {}) as Json;
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
