import { afterEach, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../contract.ts";
import { createAnthropicProvider } from "./anthropic.ts";
import { createBedrockProvider } from "./bedrock.ts";
import { callOf, startTestUpstream, type TestUpstream } from "./testing.ts";

const PICTURE = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;
const MARK = { cache_control: { type: "ephemeral" } };

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sentTo(factory: Parameters<TestUpstream["provider"]>[0], request: Partial<ChatRequest>) {
  upstream = startTestUpstream(() => Response.json({ error: { message: "no" } }, { status: 400 }));
  await callOf(upstream.provider(factory), request);
  const [sent] = upstream.sent;
  if (sent === undefined) throw new Error("nothing was sent");
  return sent;
}

test("pictures, whole messages, whole results and tools are marked at Anthropic", async () => {
  const messages: ChatMessage[] = [
    {
      role: "user",
      content: [
        { ...PICTURE, cache: true },
        { type: "text", text: "Look" },
      ],
    },
    { role: "assistant", content: null, toolCalls: [{ id: "c1", name: "see", arguments: "{}" }] },
    { role: "tool", toolCallId: "c1", content: "seen", cache: true },
    { role: "user", content: "Well?", cache: true },
  ];
  const tools = [{ name: "see" }, { name: "hear", cache: true }];
  const { body, text } = await sentTo(createAnthropicProvider, { messages, tools });
  expect(body).toMatchObject({
    messages: [
      {
        content: [
          { type: "image", ...MARK },
          { type: "text", text: "Look" },
        ],
      },
      {},
      {
        content: [
          { type: "tool_result", ...MARK },
          { type: "text", text: "Well?", ...MARK },
        ],
      },
    ],
    tools: [{ name: "see" }, { name: "hear", ...MARK }],
  });
  expect(text.match(/cache_control/g)).toHaveLength(4);
});

test("never more than the four that Anthropic takes", async () => {
  const content = Array.from("abcdef", (text) => ({ type: "text", text, cache: true }) as const);
  const tools = [{ name: "see", cache: true }];
  const { text } = await sentTo(createAnthropicProvider, { messages: [{ role: "user", content }], tools });
  expect(text.match(/cache_control/g)).toHaveLength(4);
});

const marked = (texts: string) => Array.from(texts, (text) => ({ type: "text", text, cache: true }) as const);
const instructions = (lines: number): ChatMessage => ({
  role: "system",
  content: "ABCDEF".slice(0, lines).split("").join("\n"),
  cacheAt: Array.from({ length: lines - 1 }, (_, at) => at * 2 + 1),
  cache: true,
});
const TOOLS = [
  { name: "see", cache: true },
  { name: "hear", cache: true },
];

test.each<[string, Partial<ChatRequest>, string[]]>([
  [
    "of a conversation the last ones, of instructions and tools one each",
    { messages: [instructions(5), { role: "user", content: marked("abcd") }], tools: TOOLS },
    ["hear", "E", "c", "d"],
  ],
  [
    "of a conversation alone the last ones",
    {
      messages: [
        { role: "user", content: marked("abc") },
        { role: "user", content: "d", cache: true },
        { role: "user", content: marked("ef") },
      ],
    },
    ["c", "d", "e", "f"],
  ],
  [
    "what a conversation leaves is the instructions'",
    { messages: [instructions(6), { role: "user", content: "a", cache: true }] },
    ["D", "E", "F", "a"],
  ],
])("beyond four are kept %s", async (_what, request, kept) => {
  const { text } = await sentTo(createAnthropicProvider, request);
  expect(markedIn(JSON.parse(text))).toEqual([...kept].sort());
  upstream.close();
  const atBedrock = await sentTo(createBedrockProvider, request);
  // Its tools are not marked.
  expect(markedIn(JSON.parse(atBedrock.text))).toEqual(kept.filter((text) => text !== "hear").sort());
});

/** The texts and names that a mark stands at, or behind, in either way of writing it. */
function markedIn(value: unknown): string[] {
  if (Array.isArray(value)) {
    const behind = value.flatMap((item, at) => ("cachePoint" in Object(item) ? [saidIn(value[at - 1])] : []));
    return [...behind, ...value.flatMap(markedIn)].sort();
  }
  if (typeof value !== "object" || value === null) return [];
  const at = "cache_control" in value ? [saidIn(value)] : [];
  return [...at, ...Object.values(value).flatMap(markedIn)].sort();
}

function saidIn(place: object): string {
  const { text, name }: { text?: string; name?: string } = { ...place };
  return text ?? name ?? "";
}

test.each<[string, ChatMessage]>([
  ["as a whole", { role: "user", content: "Look", cache: true }],
  ["at its end", { role: "user", content: [{ type: "text", text: "Look", cache: true }] }],
  ["in both ways", { role: "user", content: [{ type: "text", text: "Look", cache: true }], cache: true }],
])("a message that is marked %s is marked once at Bedrock", async (_where, message) => {
  const { body } = await sentTo(createBedrockProvider, { messages: [message] });
  expect(body["messages"]).toEqual([
    { role: "user", content: [{ text: "Look" }, { cachePoint: { type: "default" } }] },
  ]);
});
