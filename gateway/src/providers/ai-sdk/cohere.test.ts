import { afterEach, expect, test } from "bun:test";
import { createCohereProvider } from "./cohere.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

const content = (value: object) => ({ message: { content: value } });
const usage = {
  billed_units: { input_tokens: 3, output_tokens: 2 },
  tokens: { input_tokens: 90, output_tokens: 2 },
};
const END = { type: "message-end", delta: { finish_reason: "COMPLETE", usage } };
const ANSWER = [
  { type: "message-start", id: "a" },
  { type: "content-start", index: 0, delta: content({ type: "text", text: "" }) },
  { type: "content-delta", index: 0, delta: content({ text: "Good day" }) },
  { type: "content-end", index: 0 },
];

let upstream: TestUpstream;
afterEach(() => upstream.close());

function start(...list: readonly object[]) {
  upstream = startTestUpstream(events(...list));
  return upstream.provider(createCohereProvider);
}

test("usage is what the provider bills, not all the tokens that it processed", async () => {
  expect(await callOf(start(...ANSWER, END))).toEqual([
    { type: "text", text: "Good day" },
    { type: "finish", reason: "stop", usage: { inputTokens: 3, outputTokens: 2 } },
  ]);
});

test("a call with the arguments null is a call without arguments", async () => {
  const calls = (value: object) => ({ message: { tool_calls: value } });
  const call = { id: "c", type: "function", function: { name: "now", arguments: "" } };
  const answer = await callOf(
    start(
      { type: "message-start", id: "a" },
      { type: "tool-call-start", index: 0, delta: calls(call) },
      { type: "tool-call-delta", index: 0, delta: calls({ function: { arguments: "null" } }) },
      { type: "tool-call-end", index: 0 },
      { ...END, delta: { finish_reason: "TOOL_CALL", usage } },
    ),
  );
  expect(answer).toEqual([
    { type: "tool_start", call: 0, id: "c", name: "now" },
    { type: "tool_arguments", call: 0, text: "{}" },
    expect.objectContaining({ type: "finish", reason: "tool_calls" }),
  ]);
});

test("a stream that ends early is unavailable", async () => {
  expect(await callOf(start(...ANSWER))).toMatchObject({ kind: "unavailable" });
});

test("thinking stays within the limit of the call", async () => {
  await callOf(start(...ANSWER, END), { reasoningEffort: "high" });
  expect(upstream.sent[0]?.body).toMatchObject({
    max_tokens: 4_000,
    thinking: { type: "enabled", token_budget: 2_400 },
  });
});

const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff]).toString("base64");
test.each([
  ["a.pdf", `data:application/pdf;base64,${bytes}`],
  ["a.docx", `data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,${bytes}`],
  ["a.wav", `data:audio/wav;base64,${bytes}`],
  ["b.pdf", "https://example.com/b.pdf"],
])("a file that Cohere cannot read is refused before it is sent: %s", async (filename, data) => {
  const content = [{ type: "file", filename, data } as const];
  const failure = await callOf(start(...ANSWER, END), { messages: [{ role: "user", content }] });
  expect(failure).toMatchObject({
    kind: "rejected",
    publicMessage: expect.stringContaining("images and text"),
  });
  expect(upstream.sent).toHaveLength(0);
});

test("images and text files are sent", async () => {
  const content = [
    { type: "file", filename: "a.csv", data: `data:text/csv;base64,${btoa("a,b")}` },
    { type: "image", url: "https://example.com/a.png" },
  ] as const;
  await callOf(start(...ANSWER, END), { messages: [{ role: "user", content }] });
  const sent = JSON.stringify(upstream.sent[0]?.body);
  expect(sent).toContain("a,b");
  expect(sent).toContain("https://example.com/a.png");
});

test.each([
  [
    { presence_penalty: 1.5, frequency_penalty: -2 },
    { presence_penalty: 1, frequency_penalty: 0 },
  ],
  [
    { presence_penalty: 0.5, frequency_penalty: 1 },
    { presence_penalty: 0.5, frequency_penalty: 1 },
  ],
  [{}, {}],
])("penalties are clamped to what Cohere accepts: %j", async (wireFields, expected) => {
  await callOf(start(...ANSWER, END), { wireFields });
  const { presence_penalty, frequency_penalty } = upstream.sent[0]?.body ?? {};
  expect(JSON.parse(JSON.stringify({ presence_penalty, frequency_penalty }))).toEqual(expected);
});
