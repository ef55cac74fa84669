import { afterAll, describe, expect, test } from "bun:test";
import { ANSWER_TEXT, DONE, deltaFrame, goodFrames, STOP } from "../../../../test/upstream/chat-wire.ts";
import type { ChatRequest } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom, never, testFetch } from "../../outbound/testing.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "./provider.ts";

const REQUEST: ChatRequest = { messages: [{ role: "user", content: "hi" }], maxOutputTokens: 10 };
const TOO_LONG = "x".repeat(9_000);

/** What the server sends next: all of it with its head, or the last part later. */
let answer: { readonly type: string; readonly text: string; readonly isCut: boolean };
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => {
    const { type, text, isCut } = answer;
    const bytes = Buffer.from(text);
    const headers = { "content-type": type };
    if (!isCut) return new Response(bytes, { headers });
    const pieces = [bytes.subarray(0, -20), bytes.subarray(-20)];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) return controller.close();
        controller.enqueue(piece);
        await Bun.sleep(5);
      },
    });
    return new Response(body, { headers });
  },
});
afterAll(() => server.stop(true));

const settings = { name: "acme", kind: null, baseUrl: `http://127.0.0.1:${server.port}/v1`, apiKey: "k" };
const { text: provider } = createOpenAiWireProvider(settings, WIRE_VENDORS["openai-wire"], {
  outbound: testFetch({ maxBodyBytes: 64 << 10 }),
  fetchPublic: createPublicFetch(),
});
const answering = async () => provider?.answer?.("m", REQUEST, { requestId: "r", signal: never() });

describe.each([
  ["with its content type, in one piece", "text/event-stream", false],
  ["with its content type, in pieces", "text/event-stream", true],
  ["with a JSON content type, in one piece", "application/json", false],
  ["with a JSON content type, in pieces", "application/json", true],
])("a stream that was not requested, %s", (_, type, isCut) => {
  test.each([
    ["as usual", ""],
    ["after keep-alive whitespace", type === "application/json" ? " \n " : "\n\n"],
    ["after a byte order mark", "\uFEFF"],
    ["after a comment", ": hello\n\n"],
  ])("is read as the answer: %s", async (_how, beginning) => {
    answer = { type, isCut, text: beginning + goodFrames().join("") };
    const events = (await answering()) ?? [];
    expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe(ANSWER_TEXT);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });

  test("may end without a blank line", async () => {
    answer = { type, isCut, text: (deltaFrame({ content: "Hi" }) + STOP).trimEnd() };
    expect((await answering())?.map((event) => event.type)).toEqual(["text", "finish"]);
  });

  test("fails as unavailable if it is nested too deeply", async () => {
    const nested = "[".repeat(1_000) + "]".repeat(1_000);
    answer = { type, isCut, text: `data: {"more":${nested},"choices":[]}\n\n${STOP}` };
    expect((await failureFrom(answering())).kind).toBe("unavailable");
  });

  test.each([
    ["is longer than its limit allows", deltaFrame({ content: TOO_LONG }) + STOP + DONE],
    ["breaks off", deltaFrame({ content: "Hi" })],
    ["contains an error after text", `${deltaFrame({ content: "Hi" })}data: {"error":{"message":"Oh"}}\n\n`],
  ])("fails as an answer that had begun if it %s", async (_how, text) => {
    answer = { type, isCut, text };
    expect(await failureFrom(answering())).toMatchObject({ kind: "unavailable", hasBegun: true });
  });
});
