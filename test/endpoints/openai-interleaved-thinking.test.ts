import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };
type Sent = { messages: { role: string; content: Block[] }[] };

/** What the model answers, and the requests it received. */
let answer: readonly Block[] = [];
let sent: Sent[] = [];

/** Like the provider, refuses reasoning blocks that were changed or moved since it sent them. */
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Sent;
    sent.push(body);
    const last = body.messages.findLast(({ role }) => role === "assistant")?.content;
    if (last === undefined) return streamOf(answer, "tool_use");
    const isKept = !last.some(isThought) || answer.every((block, at) => stands(block, last[at]));
    if (isKept) return streamOf([text("done")], "end_turn");
    const message =
      "messages.1.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.";
    return Response.json(
      { type: "error", error: { type: "invalid_request_error", message } },
      { status: 400 },
    );
  },
});

function isThought({ type }: Block): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function stands(block: Block, other: Block | undefined): boolean {
  if (other === undefined) return false;
  return isThought(block) || isThought(other) ? Bun.deepEquals(block, other) : true;
}

function streamOf(blocks: readonly Block[], stop: string): Response {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], usage };
  const events = [
    { type: "message_start", message },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: opened(block) },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: stop }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ];
  return new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

function opened(block: Block): object {
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  if (block.type === "text") return { ...block, text: "" };
  return block.type === "tool_use" ? { ...block, input: {} } : block;
}

function deltasOf(block: Block): object[] {
  switch (block.type) {
    case "thinking":
      return [
        { type: "thinking_delta", thinking: block.thinking },
        { type: "signature_delta", signature: block.signature },
      ];
    case "text":
      return [...block.text].map((letter) => ({ type: "text_delta", text: letter }));
    case "tool_use":
      return [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }];
    case "redacted_thinking":
      return [];
  }
}

const thought = (words: string): Block => ({
  type: "thinking",
  thinking: words,
  signature: `signed ${words}`,
});
const secret = (data: string): Block => ({ type: "redacted_thinking", data });
const text = (words: string): Block => ({ type: "text", text: words });
const call = (id: number): Block => ({ type: "tool_use", id: `toolu_${id}`, name: "look", input: { id } });

const SHAPES: Record<string, readonly Block[]> = {
  "thought, text, call": [thought("a"), text("Well."), call(1)],
  "thought, text, thought, call": [thought("a"), text("Well 🙂."), thought("b"), call(1)],
  "thought, call, thought, call": [thought("a"), call(1), thought("b"), call(2)],
  "text, thought, call": [text("Well."), thought("a"), call(1)],
  "thought, text, thought, text, call": [thought("a"), text("One."), thought("b"), text("Two."), call(1)],
  "two texts and calls between": [
    thought("a"),
    text("One."),
    call(1),
    text("Two."),
    call(2),
    secret("b"),
    call(3),
    thought("c"),
    call(4),
  ],
  "texts side by side": [thought("a"), text("One."), text("Two."), secret("b"), text("Three."), call(1)],
};

let settings: SettingsFile;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  settings = writeSettings({
    providers: {
      claude: { kind: "anthropic", base_url: `http://127.0.0.1:${upstream.port}/v1`, api_key: "sk-test" },
    },
    models: [
      {
        id: "m",
        name: "Thinker",
        type: "text",
        targets: [{ provider: "claude", model: "claude-opus-5" }],
        credits_per_request: 1,
        price: { input_per_million: 1_000_000, output_per_million: 1_000_000 },
        limits: { context_tokens: 128_000, max_output_tokens: 4_000 },
      },
    ],
  });
  gateway = await startTestGateway(settings.environment);
  const { key } = await gateway.found({ credits: 10_000_000 });
  client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: key, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

const PARAMETERS = { type: "object", properties: { id: { type: "number" } } };

/** Two turns: the second one returns what the first one answered, as clients do. */
async function chat(stream: boolean): Promise<string | null | undefined> {
  const ask = {
    model: "m",
    reasoning_effort: "low",
    tools: [{ type: "function", function: { name: "look", parameters: PARAMETERS } }],
  } as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Look." }];
  const tools = [...ask.tools];
  const first = stream
    ? await client.chat.completions.stream({ ...ask, tools, messages }).finalChatCompletion()
    : await client.chat.completions.create({ ...ask, tools, messages });
  const said = first.choices[0]?.message;
  if (said === undefined) throw new Error("no answer");
  const { role, content, tool_calls = [] } = said;
  const results = tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "seen" }) as const);
  const second = await client.chat.completions.create({
    ...ask,
    tools,
    messages: [...messages, { role, content, tool_calls }, ...results],
  });
  return second.choices[0]?.message.content;
}

async function respond(stream: boolean): Promise<string> {
  const ask = {
    model: "m",
    reasoning: { effort: "low" },
    tools: [{ type: "function", name: "look", parameters: PARAMETERS, strict: false }],
  } as const;
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Look." }];
  const tools = [...ask.tools];
  const first = stream
    ? await client.responses.stream({ ...ask, tools, input }).finalResponse()
    : await client.responses.create({ ...ask, tools, input });
  const output = first.output as OpenAI.Responses.ResponseInputItem[];
  const results = first.output.flatMap((item) =>
    item.type === "function_call"
      ? [{ type: "function_call_output", call_id: item.call_id, output: "seen" } as const]
      : [],
  );
  const second = await client.responses.create({ ...ask, tools, input: [...input, ...output, ...results] });
  return second.output_text;
}

const WAYS: Record<string, () => Promise<unknown>> = {
  "chat in one piece": () => chat(false),
  "chat as a stream": () => chat(true),
  "a response in one piece": () => respond(false),
  "a response as a stream": () => respond(true),
};

describe.each(Object.entries(SHAPES))("%s", (_name, blocks) => {
  test.each(Object.entries(WAYS))(
    "the provider gets its reasoning blocks back unchanged and in place: %s",
    async (_way, twoTurns) => {
      answer = blocks;
      sent = [];
      expect(await twoTurns()).toBe("done");
      expect(sent).toHaveLength(2);
      const back = sent[1]?.messages.find(({ role }) => role === "assistant")?.content ?? [];
      expect(back.filter(isThought)).toEqual(blocks.filter(isThought));
    },
  );
});

test.each(Object.entries(WAYS))(
  "a reasoning block after the last call does not break the next turn: %s",
  async (_way, twoTurns) => {
    answer = [thought("a"), call(1), thought("b")];
    sent = [];
    expect(await twoTurns()).toBe("done");
  },
);
