import { afterAll, beforeAll, expect, test } from "bun:test";
import { readResponseStream } from "../conformance/response-events.ts";
import { scriptedSettings } from "../conformance/scripted-settings.ts";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

type Json = Record<string, unknown>;

const THOUGHT = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA-of-one" };
const SAID = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
};

const COMPACTED = { type: "compaction", id: "cmp_1", encrypted_content: "gAAA-all-before" };

/** From a server that speaks chat only: it sends its reasoning as text and calls a tool. */
const ALOUD = {
  role: "assistant",
  content: null,
  reasoning_content: "I must look",
  tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: "{}" } }],
};

function aloud(isStreamed: boolean): Response {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const said = { index: 0, finish_reason: "tool_calls" };
  if (!isStreamed) return Response.json({ choices: [{ ...said, message: ALOUD }], usage });
  const chunks = [{ choices: [{ ...said, delta: ALOUD }] }, { choices: [], usage }];
  const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return new Response(`${frames.join("")}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** A server that encrypts its reasoning, and records the earlier turns it receives. */
const received: Json[][] = [];
let output: readonly Json[] = [THOUGHT, SAID];
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Json;
    received.push((body["input"] ?? body["messages"]) as Json[]);
    if (body["messages"] !== undefined) return aloud(body["stream"] === true);
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = { id: "r", status: "completed", output, usage };
    if (body["stream"] !== true) return Response.json(response);
    const done = output.map((item, at) => ({
      type: "response.output_item.done",
      output_index: at,
      item,
    }));
    const frames = [...done, { type: "response.completed", response }].map(
      (event) => `data: ${JSON.stringify(event)}\n\n`,
    );
    return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
  },
});

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const scripted = scriptedSettings(baseUrl) as { providers: Record<string, Json>; models: Json[] };
  const [first] = scripted.models;
  settings = writeSettings({
    providers: {
      one: scripted.providers["both"],
      two: scripted.providers["both"],
      loud: scripted.providers["chat"],
      louder: scripted.providers["chat"],
    },
    models: [["one"], ["two"], ["two", "one"], ["loud"], ["louder"]].map((names) => ({
      ...first,
      id: `of-${names.join("-")}`,
      targets: names.map((provider) => ({ provider, model: "gpt-5" })),
    })),
  });
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await server.stop(true);
  settings.remove();
});

function ask(model: string, input: readonly unknown[], stream: boolean): Promise<Response> {
  return fetch(`${gateway.origin}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input, stream, max_output_tokens: 64 }),
  });
}

async function answerOf(model: string, input: readonly unknown[], stream: boolean): Promise<Json[]> {
  const response = await ask(model, input, stream);
  expect(response.status).toBe(200);
  const reply = stream ? readResponseStream(await response.text()).response : await response.json();
  return (reply as { output: Json[] }).output;
}

test.each([true, false])(
  "encrypted reasoning returns unchanged to the provider that made it, and to no other (stream: %p)",
  async (stream) => {
    const user = { role: "user", content: "hi" };
    output = [THOUGHT, SAID];
    const answer = await answerOf("of-one", [user], stream);
    expect(answer).toMatchObject([{ type: "reasoning" }, SAID]);
    await answerOf("of-one", [user, ...answer, user], stream);
    expect(received.at(-1)).toEqual([user, THOUGHT, SAID, user]);
    await answerOf("of-two", [user, ...answer, user], stream);
    expect(JSON.stringify(received.at(-1))).not.toContain("reasoning");
    await answerOf("of-two", [user, THOUGHT, SAID, user], stream);
    expect(received.at(-1)).toEqual([user, THOUGHT, SAID, user]);
  },
);

test.each([true, false])(
  "a compacted conversation goes to the provider that compacted it, or is refused (stream: %p)",
  async (stream) => {
    const user = { role: "user", content: "hi" };
    output = [COMPACTED, SAID];
    const answer = await answerOf("of-one", [user], stream);
    expect(answer).toMatchObject([{ type: "compaction" }, SAID]);
    for (const model of ["of-one", "of-two-one"]) {
      received.length = 0;
      await answerOf(model, [user, ...answer, user], stream);
      expect(received).toEqual([[user, COMPACTED, SAID, user]]);
    }
    received.length = 0;
    const refused = await ask("of-two", [user, ...answer, user], stream);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: {
        type: "invalid_request_error",
        param: "input[1].encrypted_content",
        message: expect.stringContaining("only the provider that made it can read it"),
      },
    });
    expect(received).toEqual([]);
    // What bears no mark of ours may be from any provider.
    await answerOf("of-two", [user, COMPACTED, user], stream);
    expect(received).toEqual([[user, COMPACTED, user]]);
  },
);

test.each([true, false])(
  "plain-text reasoning returns unchanged to the provider that sent it, and to no other (stream: %p)",
  async (stream) => {
    const user = { role: "user", content: "hi" };
    const answer = await answerOf("of-loud", [user], stream);
    expect(answer).toMatchObject([
      { type: "reasoning", summary: [{ text: "I must look" }] },
      { type: "function_call" },
    ]);
    const found = { type: "function_call_output", call_id: answer[1]?.["call_id"], output: "found" };
    const turn = { role: "assistant", content: null, tool_calls: [{ id: "c1" }] };
    await answerOf("of-loud", [user, ...answer, found], stream);
    expect(received.at(-1)?.[1]).toMatchObject({ ...turn, reasoning_content: "I must look" });
    await answerOf("of-louder", [user, ...answer, found], stream);
    expect(received.at(-1)?.[1]).toMatchObject(turn);
    expect(received.at(-1)?.[1]).not.toHaveProperty("reasoning_content");
    // A server of this wire that sees a call's id requires the reasoning that led to it.
    await answerOf("of-one", [user, ...answer, found], stream);
    const sent = received.at(-1) ?? [];
    expect(sent).toMatchObject([user, { type: "function_call", call_id: "c1" }, { call_id: "c1" }]);
    expect(sent[1]).not.toHaveProperty("id");
  },
);
