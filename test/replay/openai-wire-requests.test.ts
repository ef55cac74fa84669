import { expect, test } from "bun:test";
import { encodeRequest } from "../../gateway/src/providers/openai-wire/encode/encode-request.ts";
import { WIRE_VENDORS } from "../../gateway/src/providers/wire-vendors-testing.ts";
import { chatRecordings } from "./chat-recordings.ts";
import { hasFixtures } from "./fixtures-folder.ts";
import { type Fields, fields, list, neutralRequest } from "./neutral-request.ts";
import type { Recording, Skipped } from "./recording.ts";
import { printReport } from "./report.ts";

const COMPARED = ["messages", "tools", "tool_choice", "response_format", "temperature", "top_p", "stop"];

test("recorded chat-completions requests are encoded again unchanged", () => {
  if (!hasFixtures) {
    console.log("replay openai-wire requests: no recordings here, nothing replayed");
    return;
  }
  const found = chatRecordings();
  const skipped: Skipped[] = [];
  const failures: string[] = [];
  let replayed = 0;
  for (const recording of found.recordings) {
    const outcome = roundTrip(recording);
    if (outcome.skipped !== undefined) skipped.push({ name: recording.name, reason: outcome.skipped });
    else replayed += 1;
    if (outcome.fault !== undefined) failures.push(`${recording.name}: ${outcome.fault}`);
  }
  printReport({ suite: "openai-wire requests", replayed, failures, skipped });
  expect(failures).toEqual([]);
});

function roundTrip(recording: Recording): { readonly skipped?: string; readonly fault?: string } {
  const recorded = fields(recording.request);
  if (!Array.isArray(recorded["messages"])) return { skipped: "no request was recorded" };
  const request = neutralRequest(recorded);
  if ("inexpressible" in request) return { skipped: `has no neutral words: ${request.inexpressible}` };
  // A vendor without special habits, so that any difference is caused by the encoder.
  const vendor = recording.provider === "mistral" ? WIRE_VENDORS.mistral : WIRE_VENDORS.openai;
  const target = { vendor: { ...vendor, toolCallId: "any" as const }, model: "m", namespace: "acme" };
  const encoded = fields(JSON.parse(JSON.stringify(encodeRequest(request, target))));
  const wrong = COMPARED.filter((field) => {
    if (field === "tool_choice" && !recorded["tools"]) return false;
    return !Bun.deepEquals(comparable(encoded[field]), comparable(recorded[field]));
  });
  if (wrong.length === 0) return {};
  const show = (body: Fields) => JSON.stringify(comparable(body[wrong[0] ?? ""]))?.slice(0, 300);
  return { fault: `${wrong.join(", ")}: ${show(encoded)}, not ${show(recorded)}` };
}

/** Not in the neutral request, or only another way to write the same. */
const IGNORED = [
  "name",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "prefix",
  "cache_control",
  "index",
];

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(comparable);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  const record = fields(value);
  if ("role" in record) return message(record);
  if ("function" in record) return { function: comparable(record["function"]) };
  if ("json_schema" in record) return { json_schema: { ...fields(record["json_schema"]), description: "" } };
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .map(([key, inner]) => [key, comparable(inner)]),
  );
}

function message(record: Fields): unknown {
  const kept = Object.entries(record).filter(([key, inner]) => !IGNORED.includes(key) && inner !== null);
  const role = record["role"] === "developer" ? "system" : record["role"];
  const parts = list(record["content"]);
  const isPlain = parts.every((part) => part["type"] === "text");
  const isText = role !== "user" || isPlain;
  const text =
    parts.length > 0 ? parts.map((part) => part["text"] ?? "").join("") : (record["content"] ?? "");
  const calls = list(record["tool_calls"]).map((call) => ({
    id: call["id"],
    name: fields(call["function"])["name"],
    arguments: fields(call["function"])["arguments"] || "{}",
  }));
  return {
    ...Object.fromEntries(kept),
    role,
    content: isText ? text : parts.map(part),
    tool_calls: calls,
  };
}

/** Parts may carry cache markers, which the neutral request does not have. */
function part(given: Fields): unknown {
  const type = String(given["type"]);
  const inner = given[type];
  return { type, inner: type === "image_url" && typeof inner === "string" ? { url: inner } : inner };
}
