import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { armFailpoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { askJson, askStream, FORMS, leaveAfter, seeStream } from "./chat-client.ts";
import { expectEnding, expectQuiet, requestRow, rowCounts } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100_000;
/** Metered, so that the charge shows what was counted. */
const METERED = {
  id: "metered",
  name: "Metered",
  type: "text",
  targets: [{ provider: "sandbox", model: "sandbox-chat" }],
  test: true,
  credits_per_request: 1,
  price: { input_per_million: 100_000, output_per_million: 1_000_000 },
  limits: { context_tokens: 128_000, max_output_tokens: 8_192 },
};

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
let origin: string;
beforeAll(async () => {
  settings = writeSettings({ models: [METERED] });
  gateway = await startTestGateway(settings.environment);
  origin = gateway.origin;
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

function ask(content: string) {
  return { origin, of: own, content, model: "metered" };
}

function endedAs(requestId: string, ending: Parameters<typeof expectEnding>[2]) {
  return expectEnding(gateway.database.db, { orgId: own.id, requestId, creditsBefore: CREDITS }, ending);
}

for (const [form, see] of FORMS) {
  describe(`${form}: finished`, () => {
    test("charged by the usage that the provider reports", async () => {
      own = await gateway.found({ credits: CREDITS });
      const seen = await see(ask("[sandbox:tokens=500] Tell me about harbours."));
      expect([seen.status, seen.ended, seen.body["finish_reason"]]).toEqual([200, "done", "stop"]);
      const row = await endedAs(seen.requestId, { status: "succeeded" });
      expect(seen.body["credits_charged"]).toBe(row.charged);
      expect(seen.body["usage"]).toEqual({
        input_tokens: row.input_tokens,
        output_tokens: row.output_tokens,
      });
      expect(row.charged).toBe(Math.ceil((row.input_tokens + 10 * row.output_tokens) / 10));
      expect(seen.body["balance"]).toEqual({ subscription: 0, anytime: CREDITS - row.charged });
    });

    test("charged by our estimate if no usage is reported", async () => {
      own = await gateway.found({ credits: CREDITS });
      const reported = await see(ask("[sandbox:tokens=500] Tell me about harbours."));
      const first = await requestRow(gateway.database.db, reported.requestId);
      own = await gateway.found({ credits: CREDITS });
      const seen = await see(ask("[sandbox:tokens=500] [sandbox:usage=none] Tell me about harbours."));
      expect(seen.ended).toBe("done");
      const row = await endedAs(seen.requestId, { status: "succeeded" });
      // The sandbox counts as we do, so the two agree except for the directive's own tokens.
      expect(Math.abs(row.charged - (first?.charged ?? 0))).toBeLessThan(25);
    });
  });

  describe(`${form}: a provider that fails before its first byte costs nothing`, () => {
    const cases: readonly [status: number, ours: number, code: string][] = [
      [400, 400, "validation_error"],
      [413, 400, "validation_error"],
      [422, 400, "validation_error"],
      [401, 502, "internal_error"],
      [403, 502, "internal_error"],
      [404, 502, "internal_error"],
      [408, 504, "internal_error"],
      [429, 503, "internal_error"],
      [500, 502, "internal_error"],
      [503, 502, "internal_error"],
      [529, 502, "internal_error"],
    ];
    for (const [status, ours, code] of cases) {
      test(`${status}`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const seen = await see(ask(`[sandbox:error=${status}]`));
        expect([seen.ended, seen.status]).toEqual(["error", form === "JSON" ? ours : 200]);
        expect(seen.body).toMatchObject({ error: { code, request_id: seen.requestId } });
        await endedAs(seen.requestId, { status: "failed", charged: 0, errorCode: code });
      });
    }
  });

  test(`${form}: a provider that fails after its first byte costs nothing`, async () => {
    own = await gateway.found({ credits: CREDITS });
    const seen = await see(ask("[sandbox:cut=after:20]"));
    expect(seen.ended).toBe("error");
    if (form !== "JSON") expect(seen.text.length).toBeGreaterThan(0);
    await endedAs(seen.requestId, { status: "failed", charged: 0, errorCode: "internal_error" });
  });
}

describe("a client that disconnects from a stream", () => {
  test("pays for the input and the output it got", async () => {
    own = await gateway.found({ credits: CREDITS });
    const requestId = await leaveAfter(ask("[sandbox:delay=60s] Tell me a long story."), "event: content");
    await gateway.services.running.idle();
    const row = await endedAs(requestId, { status: "cancelled" });
    expect(row.output_tokens).toBeGreaterThan(0);
    expect(row.output_tokens).toBeLessThan(20);
    expect(row.charged).toBe(Math.ceil((row.input_tokens + 10 * row.output_tokens) / 10));
  });

  test("before the first text pays for the input", async () => {
    own = await gateway.found({ credits: CREDITS });
    const requestId = await leaveAfter(ask("[sandbox:first-byte=60s] hello"), "connection_established");
    await gateway.services.running.idle();
    const row = await endedAs(requestId, { status: "cancelled" });
    expect([row.output_tokens, row.charged]).toEqual([0, Math.ceil(row.input_tokens / 10)]);
  });

  test("before the reply began pays for the input", async () => {
    own = await gateway.found({ credits: CREDITS });
    const held = Promise.withResolvers<void>();
    const disarm = armFailpoint("after_hold_commit", () => held.promise);
    const controller = new AbortController();
    const leaving = askStream({ ...ask("[sandbox:delay=60s] hello"), signal: controller.signal });
    while (gateway.services.running.count === 0) await Bun.sleep(1);
    controller.abort();
    await expect(leaving).rejects.toThrow();
    disarm();
    held.resolve();
    await gateway.services.running.idle();
    const { rows } = await gateway.database.db.pool.query<{ request_id: string }>(
      "select request_id from requests where org_id = $1",
      [own.id],
    );
    const row = await endedAs(rows[0]?.request_id ?? "", { status: "cancelled" });
    expect([row.output_tokens, row.charged]).toEqual([0, Math.ceil(row.input_tokens / 10)]);
  });

  test("with an Idempotency-Key pays for the whole answer, and its retry gets it", async () => {
    own = await gateway.found({ credits: CREDITS });
    const call = { ...ask("[sandbox:delay=150ms] Say hello to the harbour"), idempotencyKey: "k" };
    const requestId = await leaveAfter(call, "event: content");
    await gateway.services.running.idle();
    await endedAs(requestId, { status: "succeeded" });
    const retry = await seeStream(call);
    expect([retry.ended, retry.body["finish_reason"], retry.body["request_id"]]).toEqual([
      "done",
      "stop",
      requestId,
    ]);
    await endedAs(requestId, { status: "succeeded" });
  });
});

test("a client that disconnects from a JSON call pays for the answer, and its retry gets it", async () => {
  own = await gateway.found({ credits: CREDITS });
  const call = { ...ask("[sandbox:first-byte=90ms] hello"), idempotencyKey: "k" };
  const controller = new AbortController();
  const leaving = askJson({ ...call, signal: controller.signal });
  while (gateway.services.running.count === 0) await Bun.sleep(1);
  controller.abort();
  await expect(leaving).rejects.toThrow();
  await gateway.services.running.idle();
  const retry = await askJson(call);
  expect([retry.status, retry.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  const body = (await retry.json()) as { request_id: string; credits_charged: number };
  const row = await endedAs(body.request_id, { status: "succeeded" });
  expect(row.charged).toBe(body.credits_charged);
});

describe("a refused call", () => {
  const refusals: readonly [string, number, () => Promise<Response>][] = [
    ["without credits", 402, () => refused("hello", { credits: 0 })],
    ["of an unknown model", 403, () => refused("hello", { model: "nowhere" })],
    ["with an invalid field", 400, () => refused("hello", { maxTokens: -1 })],
    ["with an unknown key", 401, () => refused("hello", { key: "svc_live_nonsense" })],
    ["with a limit beyond the model's", 400, () => refused("hello", { maxTokens: 1_000_000 })],
  ];
  async function refused(
    content: string,
    options: { credits?: number; model?: string; maxTokens?: number; key?: string },
  ): Promise<Response> {
    const call = { ...ask(content), ...(options.model ? { model: options.model } : {}) };
    const of = options.key === undefined ? own : { ...own, key: options.key };
    const limit = options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens };
    return askJson({ ...call, ...limit, of, idempotencyKey: "refused" });
  }
  for (const [what, status, call] of refusals) {
    test(`${what} (${status}) leaves no row in any table`, async () => {
      own = await gateway.found({ credits: status === 402 ? 0 : CREDITS });
      const before = await rowCounts(gateway.database.db);
      expect((await call()).status).toBe(status);
      expect(await rowCounts(gateway.database.db)).toEqual(before);
      await expectQuiet(gateway.database.db, own.id, status === 402 ? 0 : CREDITS);
    });
  }
});
