import { afterEach, expect, test } from "bun:test";
import type { ChatMessage, ContentPart } from "../../contract/index.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { createGoogleProvider } from "./google.ts";
import { callOf, events, startTestUpstream, type TestUpstream } from "./testing.ts";

let upstream: TestUpstream;
afterEach(() => upstream.close());

const text = (said: string): ContentPart => ({ type: "text", text: said });
const picture = (data: string): ContentPart => ({ type: "image", url: `data:image/png;base64,${data}` });
const MIXED = [text("Before:"), picture("AAAA"), text("After:"), text("(blurred)"), picture("BBBB")];

/** Everything that the provider receives for a conversation in which a tool gave this result. */
async function sentOf(
  factory: Parameters<TestUpstream["provider"]>[0],
  model: string,
  content: readonly ContentPart[],
): Promise<string> {
  upstream = startTestUpstream(events());
  const messages: ChatMessage[] = [
    { role: "user", content: "q" },
    { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "look", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content },
  ];
  await callOf(upstream.provider(factory), { messages, tools: [{ name: "look" }] }, { model });
  return upstream.sent[0]?.text ?? "";
}

/** Texts and images of the last message, in order, wherever they are in it. */
function shownIn(body: string): string[] {
  const { messages, contents } = JSON.parse(body) as Record<string, readonly object[] | undefined>;
  const last = JSON.stringify((messages ?? contents)?.at(-1));
  const shown = last.matchAll(/"(?:text|content|data|bytes)":"((?:[^"\\]|\\.)*)"/g);
  return [...shown].map(([, value]) => JSON.parse(`"${value}"`) as string);
}

test("Claude gets the texts and images of a result in order, without blank texts", async () => {
  const shown = async (...content: ContentPart[]) =>
    shownIn(await sentOf(createAnthropicProvider, "claude-opus-5", content));
  expect(await shown(...MIXED)).toEqual(["Before:", "AAAA", "After:\n(blurred)", "BBBB"]);
  upstream.close();
  expect(await shown(picture("AAAA"), text("Above."))).toEqual(["AAAA", "Above."]);
  upstream.close();
  // A blank text would be refused.
  expect(await shown(text("Two:"), picture("AAAA"), text(" \n"), picture("BBBB"), text(""))).toEqual([
    "Two:",
    "AAAA",
    "BBBB",
  ]);
});

const NAMED = "Before:\n[attached file 1]\nAfter:\n(blurred)\n[attached file 2]";

test("Gemini gets one text that says where the images of a result belong", async () => {
  expect(shownIn(await sentOf(createGoogleProvider, "gemini-3-pro-preview", MIXED))).toEqual([
    NAMED,
    "AAAA",
    "BBBB",
  ]);
});

test("an older Gemini gets the same text, and one response to its one call", async () => {
  const body = await sentOf(createGoogleProvider, "gemini-2.5-pro", MIXED);
  expect(body.match(/"functionResponse"/g)).toHaveLength(1);
  const returned = expect.stringContaining("returned this image");
  expect(shownIn(body)).toEqual([NAMED, "AAAA", returned, "BBBB", returned]);
});

test("Bedrock gets the same text", async () => {
  const body = await sentOf(createBedrockProvider, "us.amazon.nova-pro-v1:0", MIXED);
  expect(shownIn(body)).toEqual([NAMED, "AAAA", "BBBB"]);
});

test("a result whose images all follow its texts gets no such placeholders", async () => {
  const content = [text("Both:"), picture("AAAA"), picture("BBBB")];
  expect(shownIn(await sentOf(createGoogleProvider, "gemini-3-pro-preview", content))).toEqual([
    "Both:",
    "AAAA",
    "BBBB",
  ]);
});
