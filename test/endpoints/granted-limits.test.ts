import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { settingsFor } from "../faults/upstream-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";

/** Answers with one token once as many calls have come as the test says, and records their limits. */
let expected = 1;
let limits: unknown[];
let arrived = Promise.withResolvers<void>();
const upstream = Bun.serve({
  port: 0,
  async fetch(request) {
    const body = (await request.json()) as Record<string, unknown>;
    limits.push(body["max_tokens"] ?? body["max_completion_tokens"]);
    if (limits.length === expected) arrived.resolve();
    await arrived.promise;
    const choice = { index: 0, finish_reason: "stop" };
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    if (body["stream"] !== true)
      return Response.json({
        choices: [{ ...choice, message: { role: "assistant", content: "Hi" } }],
        usage,
      });
    const chunk = JSON.stringify({ choices: [{ ...choice, delta: { content: "Hi" } }], usage });
    const headers = { "content-type": "text/event-stream" };
    return new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`, { headers });
  },
});

let gateway: TestGateway;
let settings: SettingsFile;
beforeAll(async () => {
  const limits = { context_tokens: 128_000, max_output_tokens: 40_000 };
  settings = writeSettings(settingsFor(`http://127.0.0.1:${upstream.port}/v1`, ["m"], { limits }));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.stop(true);
  settings.remove();
});
beforeEach(() => {
  expected = 1;
  limits = [];
  arrived = Promise.withResolvers();
});

const messages = [{ role: "user", content: "Hi" }];
type Ask = (of: TestOrganization, limit: number | null, stream?: boolean) => Promise<Response>;

function asking(path: string, body: object, field: string): Ask {
  return ({ key }, limit, stream = false) =>
    fetch(`${gateway.origin}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "m", ...body, stream, ...(limit === null ? {} : { [field]: limit }) }),
    });
}

const askChat = asking("/v1/chat/completions", { messages }, "max_tokens");
const askNative = asking("/functions/v1/api-v1-chat", { messages }, "max_tokens");
const WAYS: readonly (readonly [string, Ask])[] = [
  ["chat completions", askChat],
  [
    "chat completions, by the newer name",
    asking("/v1/chat/completions", { messages }, "max_completion_tokens"),
  ],
  ["responses", asking("/v1/responses", { input: "Hi" }, "max_output_tokens")],
];

describe.each(WAYS)("%s", (_, ask) => {
  test.each([false, true])(
    "lowers a limit that cannot be paid for, and says so; streamed: %p",
    async (stream) => {
      const poor = await gateway.found({ credits: 2_000 });
      const response = await ask(poor, 32_000, stream);
      await response.text();
      const granted = Number(response.headers.get("x-max-tokens-granted"));
      expect([response.status, limits]).toEqual([200, [granted]]);
      expect(granted).toBeGreaterThan(1_900);
      expect(granted).toBeLessThan(2_000);
    },
  );

  test("leaves a limit that can be paid for as it is", async () => {
    const response = await ask(await gateway.found({ credits: 2_000 }), 1_500);
    expect([response.status, limits, response.headers.has("x-max-tokens-granted")]).toEqual([
      200,
      [1_500],
      false,
    ]);
  });

  test("refuses where less than 1,024 tokens, or than asked for, could be paid for", async () => {
    const poor = await gateway.found({ credits: 900 });
    const statuses = [];
    for (const limit of [32_000, 1_000, 800]) statuses.push((await ask(poor, limit)).status);
    expect(statuses).toEqual([402, 402, 200]);
  });
});

test("the main interface refuses a limit that cannot be paid for", async () => {
  const poor = await gateway.found({ credits: 2_000 });
  const response = await askNative(poor, 32_000);
  expect([response.status, limits]).toEqual([402, []]);
});

test.each([
  ["chat completions", askChat],
  ["the main interface", askNative],
] as const)("calls without a limit leave something to each other: %s", async (_, ask) => {
  expected = 4;
  const poor = await gateway.found({ credits: 3_300 });
  const responses = await Promise.all(Array.from({ length: 4 }, () => ask(poor, null)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(responses.some(({ headers }) => headers.has("x-max-tokens-granted"))).toBe(false);
  expect(Math.max(...limits.map(Number))).toBeLessThanOrEqual(825);
});
