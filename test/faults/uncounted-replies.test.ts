/**
 * Upstreams that speak the caller's own wire and answer in one piece without plausible usage: what the model wrote is
 * charged by our estimate, to the token, as for a translated answer.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { estimateTokens } from "../../compaction/src/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

type Json = Readonly<Record<string, unknown>>;

const CREDITS = 100_000;
const MODEL = "speaks-both";
const TEXT = "The lighthouse keeper counted forty-two ships before the fog came in.";
const OTHER = "Nobody had told the harbour master, who was asleep.";
const THOUGHT = "Ships first, then weather.";
const REFUSAL = "I would rather not say which of them sank.";
const CALL = { name: "look_up_ship", arguments: '{"name":"Mary Celeste","year":1872}' };

const USAGES: readonly (readonly [string, Json, number])[] = [
  ["is missing", {}, 0],
  ["is null", { usage: null }, 0],
  ["is empty", { usage: {} }, 0],
  ["is negative", { usage: { prompt_tokens: -5, completion_tokens: -9, total_tokens: -14 } }, 1],
  ["is absurd", { usage: { input_tokens: 11, output_tokens: 1e18, total_tokens: 1e18 } }, 1],
];

let replyNext: Json = {};
const upstream = Bun.serve({ port: 0, fetch: () => Response.json(replyNext) });
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`;
  settings = writeSettings(settingsFor(baseUrl, [MODEL], { responses: true }));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});

function disbelieved(): number {
  return Number(/^bursar_usage_disbelieved_total (\d+)/m.exec(gateway.services.metrics.render())?.[1] ?? 0);
}

/**
 * Makes the call and checks its ending: charged by our estimate of what was written, and the caller was told that
 * charge.
 */
async function expectCharged(path: string, body: Json, { reply, written, alerts }: Expected): Promise<void> {
  replyNext = reply;
  const before = disbelieved();
  const own = await gateway.found({ credits: CREDITS });
  const response = await fetch(`${gateway.origin}/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: modelOf(MODEL), ...body }),
  });
  const said = await response.text();
  expect([response.status, said]).toEqual([200, said]);
  const call = {
    orgId: own.id,
    requestId: response.headers.get("x-request-id") ?? "",
    creditsBefore: CREDITS,
  };
  const row = await expectEnding(gateway.database.db, call, { status: "succeeded" });
  expect(row.output_tokens).toBe(estimateTokens(written));
  expect(row.charged).toBe(row.input_tokens + row.output_tokens);
  expect(said).toContain(`"credits_charged":${row.charged}`);
  expect(disbelieved() - before).toBe(alerts);
}

type Expected = { readonly reply: Json; readonly written: string; readonly alerts: number };

const ASK_CHAT = { messages: [{ role: "user", content: "Which ships?" }] };
const message = (fields: Json, index = 0) => ({
  index,
  message: { role: "assistant", content: null, ...fields },
  finish_reason: "stop",
});
const toolCall = { id: "call_1", type: "function", function: CALL };

/** The request, the choices that come back, and what is written in them. */
const CHATS: readonly (readonly [string, Json, readonly Json[], string])[] = [
  ["text", {}, [message({ content: TEXT })], TEXT],
  [
    "reasoning and text",
    {},
    [message({ reasoning_content: THOUGHT, reasoning: THOUGHT, content: TEXT })],
    THOUGHT + TEXT,
  ],
  ["a refusal", {}, [message({ refusal: REFUSAL })], REFUSAL],
  [
    "tool calls",
    {},
    [message({ content: TEXT, tool_calls: [toolCall, { ...toolCall, id: "call_2" }] })],
    TEXT + CALL.name + CALL.arguments + CALL.name + CALL.arguments,
  ],
  [
    "a call in the wire's first form",
    { functions: [{ name: CALL.name, parameters: {} }] },
    [message({ function_call: CALL })],
    CALL.name + CALL.arguments,
  ],
  ["two answers", { n: 2 }, [message({ content: TEXT }), message({ content: OTHER }, 1)], TEXT + OTHER],
];

describe.each(USAGES)("chat completions whose usage %s", (_, usage, alerts) => {
  for (const [name, more, choices, written] of CHATS) {
    const reply = { object: "chat.completion", choices, ...usage };
    test(`charge for ${name}`, () =>
      expectCharged("chat/completions", { ...ASK_CHAT, ...more }, { reply, written, alerts }));

    test(`charge for ${name} where a stream was asked for`, () =>
      expectCharged("chat/completions", { ...ASK_CHAT, ...more, stream: true }, { reply, written, alerts }));
  }
});

const item = (...content: readonly Json[]) => ({ id: "msg_1", type: "message", role: "assistant", content });
const RESPONSES: readonly (readonly [string, readonly Json[], string])[] = [
  ["text", [item({ type: "output_text", text: TEXT, annotations: [] })], TEXT],
  [
    "reasoning and text",
    [
      { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: THOUGHT }] },
      item({ type: "output_text", text: TEXT, annotations: [] }),
    ],
    THOUGHT + TEXT,
  ],
  ["a refusal", [item({ type: "refusal", refusal: REFUSAL })], REFUSAL],
  [
    "tool calls",
    [
      { id: "fc_1", type: "function_call", call_id: "call_1", ...CALL },
      { id: "ct_1", type: "custom_tool_call", call_id: "call_2", name: "patch", input: OTHER },
    ],
    `${CALL.name}${CALL.arguments}patch${OTHER}`,
  ],
];

describe.each(USAGES)("responses whose usage %s", (_, usage, alerts) => {
  for (const [name, output, written] of RESPONSES) {
    const reply = { id: "resp_1", object: "response", status: "completed", output, ...usage };
    test(`charge for ${name}`, () =>
      expectCharged("responses", { input: "Which ships?" }, { reply, written, alerts }));

    test(`charge for ${name} where a stream was asked for`, () =>
      expectCharged("responses", { input: "Which ships?", stream: true }, { reply, written, alerts }));
  }
});
