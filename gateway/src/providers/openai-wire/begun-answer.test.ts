import { describe, expect, test } from "bun:test";
import { completion, deltaFrame, ROLE } from "../../../../test/upstream/chat-wire.ts";
import type { ChatRequest, TextProvider } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "./provider.ts";

const REQUEST: ChatRequest = { messages: [{ role: "user", content: "hi" }], maxOutputTokens: 10 };
const CONTEXT = { requestId: "r", signal: never() };
const STREAM = "text/event-stream";
const JSON_TYPE = "application/json";

/** A provider whose answers deliver this text and are then broken off. */
function tornAfter(text: string, type: string): TextProvider {
  const pieces = text === "" ? [] : [Buffer.from(text)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.error(new Error("torn"));
      else controller.enqueue(piece);
    },
  });
  const settings = { name: "acme", kind: null, baseUrl: "http://127.0.0.1:1/v1", apiKey: "k" };
  const { text: provider } = createOpenAiWireProvider(settings, WIRE_VENDORS["openai-wire"], {
    outbound: async () => new Response(body, { headers: { "content-type": type } }),
    fetchPublic: createPublicFetch(),
  });
  if (provider === undefined) throw new Error("it serves text");
  return provider;
}

const answering = (provider: TextProvider) => Promise.resolve(provider.answer?.("m", REQUEST, CONTEXT));
const chatting = (provider: TextProvider) => Array.fromAsync(provider.chat("m", REQUEST, CONTEXT));

describe("the failure of an answer that breaks off", () => {
  test.each([
    ["in one piece", completion().slice(0, 40), JSON_TYPE, answering],
    ["in one piece, requested as a stream", completion().slice(0, 40), JSON_TYPE, chatting],
    ["in a stream that was not requested", ROLE + deltaFrame({ content: "Hi" }), STREAM, answering],
    [
      "in a long stream that was not requested",
      deltaFrame({ content: "Hi".repeat(9_000) }),
      STREAM,
      answering,
    ],
  ])("says that it had begun: %s", async (_name, text, type, ask) => {
    const failure = await failureFrom(ask(tornAfter(text, type)));
    expect(failure).toMatchObject({ kind: "unavailable", hasBegun: true });
  });

  test.each([
    ["before its first byte", "", JSON_TYPE, answering],
    ["after keep-alive whitespace", " \n ", JSON_TYPE, answering],
    ["after keep-alive whitespace, requested as a stream", " \n ", JSON_TYPE, chatting],
    ["after comments of a stream that was not requested", ": awake\n\n", STREAM, answering],
    ["after comments of a stream with a JSON content type", ": awake\n\n", JSON_TYPE, answering],
    ["after comments of a stream", ": awake\n\n", STREAM, chatting],
  ])("does not say that it had begun: %s", async (_name, text, type, ask) => {
    const failure = await failureFrom(ask(tornAfter(text, type)));
    expect([failure.kind, failure.hasBegun]).toEqual(["unavailable", undefined]);
  });
});
