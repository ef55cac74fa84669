import { expect, test } from "bun:test";
import { type ChatMessage, ProviderFailure } from "../../gateway/src/contract/index.ts";
import type { WireVendor } from "../../gateway/src/providers/openai-wire/index.ts";
import { encodeWireRequest } from "../../gateway/src/providers/openai-wire/passthrough/encode-wire-request.ts";
import { WIRE_VENDORS } from "../../gateway/src/providers/wire-vendors-testing.ts";
import { chatRecordings } from "./chat-recordings.ts";
import { hasFixtures } from "./fixtures-folder.ts";
import { type Fields, fields, list, neutralRequest } from "./neutral-request.ts";
import { show, vendorNameOf } from "./openai-wire-replaying.ts";
import type { Recording, Skipped } from "./recording.ts";
import { printReport } from "./report.ts";

test("recorded requests are passed through unchanged, except for the fields that we decide", () => {
  if (!hasFixtures) {
    console.log("replay openai-wire pass-through requests: no recordings here, nothing replayed");
    return;
  }
  const skipped: Skipped[] = [];
  const failures: string[] = [];
  let replayed = 0;
  for (const recording of chatRecordings().recordings) {
    const outcome = passOn(recording);
    if (outcome.skipped === undefined) replayed += 1;
    else skipped.push({ name: recording.name, reason: outcome.skipped });
    if (outcome.fault !== undefined) failures.push(`${recording.name}: ${outcome.fault}`);
  }
  printReport({ suite: "openai-wire pass-through requests", replayed, failures, skipped });
  expect(failures).toEqual([]);
});

/** Set by us, whatever the client sends. */
const OURS = [
  "model",
  "models",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "n",
  "cache_salt",
];
/** Change the bill beyond tokens, or name a more expensive host. */
const UNPRICED = [
  "service_tier",
  "provider",
  "web_search_options",
  "audio",
  "modalities",
  "prediction",
  "preset",
  "search_settings",
];

function passOn(recording: Recording): { readonly skipped?: string; readonly fault?: string } {
  const body = fields(recording.request);
  if (!Array.isArray(body["messages"])) return { skipped: "no request was recorded" };
  const vendor: WireVendor = WIRE_VENDORS[vendorNameOf(recording)];
  const target = { vendor, model: String(body["model"] ?? "m"), namespace: "acme" };
  const neutral = neutralRequest({ ...body, messages: [], tools: [] });
  if ("inexpressible" in neutral) return { skipped: neutral.inexpressible };
  const messages = list(body["messages"]).map(neutralMessage);
  const request = { ...neutral, messages, sealed: (identity: string) => identity };
  try {
    const wire = { kind: "chat_completions" as const, body };
    const encoded = fields(JSON.parse(JSON.stringify(encodeWireRequest(request, wire, target))));
    return faultOf(encoded, body, vendor);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return { skipped: `refused: ${error.publicMessage}` };
  }
}

/** What the neutral form cannot express still counts as one message. */
function neutralMessage(message: Fields): ChatMessage {
  const neutral = neutralRequest({ messages: [message] });
  const [first] = "inexpressible" in neutral ? [] : neutral.messages;
  const thought = message["reasoning_content"] ?? message["reasoning"];
  if (first?.role === "assistant" && thought) return { ...first, reasoning: [{ text: String(thought) }] };
  return first ?? { role: "user", content: [{ type: "other", name: "replayed" }] };
}

function faultOf(encoded: Fields, recorded: Fields, vendor: WireVendor): { readonly fault?: string } {
  const dropped = [...OURS, ...UNPRICED, ...vendor.dropsFields];
  const names = new Set([...Object.keys(encoded), ...Object.keys(recorded)]);
  const wrong = [...names].find((name) => {
    if (dropped.includes(name)) return false;
    return !Bun.deepEquals(comparable(encoded[name]), comparable(expectedOf(name, recorded, vendor)));
  });
  if (wrong === undefined) return {};
  return { fault: `${wrong}: ${show(encoded[wrong])}, not ${show(recorded[wrong])}` };
}

/** Text parts are joined for servers that take only a string. */
function expectedOf(name: string, recorded: Fields, { joinsTextOf }: WireVendor): unknown {
  if (name !== "messages") return recorded[name];
  return list(recorded[name]).map((message) => {
    const parts = list(message["content"]);
    const isJoined = joinsTextOf.includes(String(message["role"])) && parts.length > 0;
    if (!isJoined || parts.some(({ type }) => type !== "text")) return message;
    return { ...message, content: parts.map(({ text }) => text).join("\n") };
  });
}

/** Without what says nothing: null, missing text beside calls, empty lists. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(comparable);
  if (typeof value !== "object" || value === null || value === undefined) return value || undefined;
  const kept = Object.entries(withOneThought(value))
    .map(([name, inner]) => [name, comparable(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(kept);
}

/** Clients send reasoning under several names at once; a server receives it under the one that it knows. */
function withOneThought(value: object): object {
  const { reasoning, reasoning_content: content, ...rest } = fields(value);
  return "role" in value ? { ...rest, thought: content ?? reasoning } : value;
}
