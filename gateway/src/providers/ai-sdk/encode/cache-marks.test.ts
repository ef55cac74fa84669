import { afterEach, expect, test } from "bun:test";
import type { ChatMessage, ChatRequest } from "../../../contract/index.ts";
import { createAnthropicProvider } from "../anthropic.ts";
import { createBedrockProvider } from "../bedrock.ts";
import { callOf, startTestUpstream, type TestUpstream } from "../testing.ts";

const PICTURE = { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" } as const;
const MARK = { cache_control: { type: "ephemeral" } };

let upstream: TestUpstream;
afterEach(() => upstream.close());

async function sentTo(
  factory: Parameters<TestUpstream["provider"]>[0],
  request: Partial<ChatRequest>,
  model?: string,
) {
  upstream = startTestUpstream(() => Response.json({ error: { message: "no" } }, { status: 400 }));
  await callOf(upstream.provider(factory), request, model === undefined ? {} : { model });
  const [sent] = upstream.sent;
  if (sent === undefined) throw new Error("nothing was sent");
  return sent;
}

test("cache marks on images, messages, tool results and tools are sent to Anthropic", async () => {
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

test("at most four cache marks are sent to Anthropic", async () => {
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
    "the last two of the conversation, and one each of instructions and tools",
    { messages: [instructions(5), { role: "user", content: marked("abcd") }], tools: TOOLS },
    ["hear", "E", "c", "d"],
  ],
  [
    "the last four of a conversation alone",
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
    "the one of the conversation, and the last three of the instructions",
    { messages: [instructions(6), { role: "user", content: "a", cache: true }] },
    ["D", "E", "F", "a"],
  ],
])("of more than four cache marks these are kept: %s", async (_what, request, kept) => {
  const { text } = await sentTo(createAnthropicProvider, request);
  expect(markedIn(JSON.parse(text))).toEqual([...kept].sort());
  upstream.close();
  const atBedrock = await sentTo(createBedrockProvider, request);
  // Tools are not marked there.
  expect(markedIn(JSON.parse(atBedrock.text))).toEqual(kept.filter((text) => text !== "hear").sort());
});

/** The texts and names with a cache mark on them or right after them, in either notation. */
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
])("a message marked %s gets one cache point at Bedrock", async (_where, message) => {
  const { body } = await sentTo(createBedrockProvider, { messages: [message] });
  expect(body["messages"]).toEqual([
    { role: "user", content: [{ text: "Look" }, { cachePoint: { type: "default" } }] },
  ]);
});

const CALLED: ChatMessage = {
  role: "assistant",
  content: null,
  toolCalls: [{ id: "c1", name: "see", arguments: "{}" }],
};
const SEEN: ChatMessage = { role: "tool", toolCallId: "c1", content: "seen" };
const TALK: readonly ChatMessage[] = [
  { role: "system", content: "Look first." },
  { role: "user", content: "Look" },
  CALLED,
  SEEN,
];
const TOOL = { name: "see" };
const ALL_MARKS = ["beginning", "last turn", "end"] as const;

function sentToClaude(request: Partial<ChatRequest>) {
  return sentTo(createAnthropicProvider, request, "claude-sonnet-5");
}

function marksIn(text: string): number {
  return text.match(/cache_control|cachePoint/g)?.length ?? 0;
}

test("marks are sent where they are wanted: behind tools and instructions, where the call before ended, at the end", async () => {
  const messages: ChatMessage[] = [
    ...TALK,
    { role: "assistant", content: "I see." },
    { role: "user", content: "And?" },
  ];
  const { body, text } = await sentToClaude({ messages, tools: [TOOL], cacheMarks: ALL_MARKS });
  expect(body).toMatchObject({
    system: [{ text: "Look first.", ...MARK }],
    messages: [
      {},
      {},
      { content: [{ type: "tool_result", ...MARK }] },
      {},
      { content: [{ text: "And?", ...MARK }] },
    ],
    tools: [{ name: "see", ...MARK }],
  });
  expect(marksIn(text)).toBe(4);
  const { text: unmarked } = await sentToClaude({ messages, tools: [TOOL], cacheMarks: [] });
  expect(marksIn(unmarked)).toBe(0);
});

const CACHED = { type: "ephemeral" };

test("cache_control for the whole of a request is sent to Anthropic as its caller said it", async () => {
  const wireFields = { cache_control: CACHED };
  const { text } = await sentToClaude({ messages: TALK, tools: [TOOL], wireFields });
  expect(marksIn(text)).toBe(1);
});

test.each(["claude-3-haiku-20240307", "kimi-k2", "deepseek-chat"])(
  "%s on Anthropic's wire, which may refuse marks, gets none of ours",
  async (model) => {
    const { text } = await sentTo(
      createAnthropicProvider,
      { messages: TALK, tools: [TOOL], cacheMarks: ALL_MARKS },
      model,
    );
    expect(marksIn(text)).toBe(0);
    expect(upstream.provider(createAnthropicProvider).text?.cachesBy?.(model)).toBeNull();
  },
);

test("Bedrock, which has no field to cache a whole prompt, gets marks for cache_control instead", async () => {
  const wireFields = { cache_control: CACHED };
  const model = "us.anthropic.claude-sonnet-5";
  const { text } = await sentTo(createBedrockProvider, { messages: TALK, tools: [TOOL], wireFields }, model);
  expect(marksIn(text)).toBe(2);
});

test.each([
  // The instructions, and both ends: tools are not marked there.
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", 3],
  ["anthropic.claude-3-sonnet-20240229-v1:0", 0],
  ["meta.llama4-scout-17b-instruct-v1:0", 0],
])("Bedrock gets marks only for models that cache prompts: %s", async (model, marks) => {
  upstream = startTestUpstream(() => Response.json({ message: "no" }, { status: 400 }));
  await callOf(
    upstream.provider(createBedrockProvider),
    { messages: TALK, tools: [TOOL], cacheMarks: ALL_MARKS },
    { model },
  );
  expect(marksIn(upstream.sent[0]?.text ?? "")).toBe(marks);
});
