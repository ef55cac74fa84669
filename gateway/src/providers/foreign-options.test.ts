import { expect, test } from "bun:test";
import type { ChatRequest, ResponseFormat } from "../contract/index.ts";
import { refuseForeignOptions, refuseForeignService } from "./foreign-options.ts";

function wishing(body: Record<string, unknown>, responseFormat?: ResponseFormat): ChatRequest {
  const wire = { kind: "chat_completions" as const, body };
  return { messages: [], maxOutputTokens: 1, wire, ...(responseFormat ? { responseFormat } : {}) };
}

test.each([
  [{ response_format: { type: "json_schem" } }, "rejected: response_format: "],
  [{ response_format: { type: "grammar", grammar: "x" } }, "rejected: response_format: "],
  [{ logit_bias: { 50256: -100 } }, "rejected: logit_bias: "],
])("an option without an equivalent at other providers is refused by field name: %j", (body, words) => {
  expect(() => refuseForeignOptions(wishing(body))).toThrow(words);
  expect(() => refuseForeignOptions(wishing(body))).toThrow(
    expect.objectContaining({ detail: { field: Object.keys(body)[0] } }),
  );
});

test("an option that is empty, neutral or has an equivalent is not refused", () => {
  refuseForeignOptions(wishing({ response_format: null, logit_bias: {} }));
  refuseForeignOptions(wishing({ logit_bias: null }));
  refuseForeignOptions(wishing({ logit_bias: { 1: 0, 2: -0 } }));
  refuseForeignOptions(wishing({ response_format: { type: "json_object" } }, { type: "json" }));
  refuseForeignOptions({ messages: [], maxOutputTokens: 1 });
});

const BLOCKING = { moderation: { model: "m", policy: { input: null, output: { mode: "block" } } } };
const CIPHER = { encrypted_content: "gAAAAAB".padEnd(100, "x") };
const COMPACTION = { type: "compaction", encrypted_content: "x" };

function ofService(body: Record<string, unknown>, kind: "responses" | "chat_completions" = "responses") {
  return () => refuseForeignService({ messages: [], maxOutputTokens: 1, wire: { kind, body } });
}

test.each([
  ["moderation", "that blocks", BLOCKING],
  ["input", "that is compacted", { input: [{ role: "user", content: "Hi" }, COMPACTION] }],
  ["input", "to be compacted", { input: [{ type: "compaction_trigger" }] }],
  [
    "input",
    "of an agent, encrypted",
    { input: [{ type: "agent_message", content: [{ type: "encrypted_content", ...CIPHER }] }] },
  ],
])("a field that only its own service supports is refused by name: %s %s", (field, _which, body) => {
  expect(ofService(body)).toThrow(expect.objectContaining({ kind: "rejected", detail: { field } }));
});

test("blocking moderation is refused on chat completions too; other moderation and input is accepted", () => {
  expect(ofService(BLOCKING, "chat_completions")).toThrow("rejected: moderation: ");
  const policies = [undefined, null, {}, { input: { mode: "score" }, output: null }];
  for (const policy of policies) expect(ofService({ moderation: { model: "m", policy } })).not.toThrow();
  for (const moderation of [null, "block", []]) expect(ofService({ moderation })).not.toThrow();
  expect(ofService({ input: "compaction" })).not.toThrow();
  const told = { type: "encrypted_content", encrypted_content: "Count the files." };
  for (const content of [[told, null], "x", undefined])
    expect(ofService({ input: [{ type: "agent_message", content }] })).not.toThrow();
  expect(ofService({ input: [{ role: "user", content: "compaction" }, null] })).not.toThrow();
  expect(() => refuseForeignService({ messages: [], maxOutputTokens: 1 })).not.toThrow();
});
