import { describe, expect, test } from "bun:test";
import { completion } from "../../../../test/upstream/chat-wire.ts";
import type { ChatRequest, TextProvider } from "../../contract/index.ts";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
import { WIRE_VENDORS } from "../wire-vendors-testing.ts";
import { createOpenAiWireProvider } from "./provider.ts";

const REQUEST: ChatRequest = { messages: [{ role: "user", content: "hi" }], maxOutputTokens: 10 };
const CONTEXT = { requestId: "r", signal: never() };
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

const chatting = (provider: TextProvider) => Array.fromAsync(provider.chat("m", REQUEST, CONTEXT));

describe("the failure of an answer that breaks off", () => {
  test("says that it had begun if it came in one piece", async () => {
    const failure = await failureFrom(chatting(tornAfter(completion().slice(0, 40), JSON_TYPE)));
    expect(failure).toMatchObject({ kind: "unavailable", hasBegun: true });
  });

  test.each([
    ["before its first byte", "", JSON_TYPE],
    ["after keep-alive whitespace", " \n ", JSON_TYPE],
    ["after comments of a stream with a JSON content type", ": awake\n\n", JSON_TYPE],
    ["after comments of a stream", ": awake\n\n", "text/event-stream"],
  ])("does not say that it had begun: %s", async (_name, text, type) => {
    const failure = await failureFrom(chatting(tornAfter(text, type)));
    expect([failure.kind, failure.hasBegun]).toEqual(["unavailable", undefined]);
  });
});
