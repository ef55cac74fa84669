import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000;
/** What the upstream reports for BILLED. */
const REPORTED = 11 + 100;
const SILENT = "silent";
const WRITING = "trickle:5";
const THINKING = "thinks:2000:5";
/** Half a second, so that the client has left before it ends. */
const BILLED = "biller/chunks:100:5";
/** Longer than what is asked for in one piece, so the answer is read like a stream. */
const LONG = { context_tokens: 128_000, max_output_tokens: 10_000 };
const SHORT = { context_tokens: 128_000, max_output_tokens: 4_096 };

const WIRES = {
  "api-v1-chat": ["/functions/v1/api-v1-chat", "messages"],
  "chat/completions": ["/v1/chat/completions", "messages"],
  responses: ["/v1/responses", "input"],
} as const;
type Wire = keyof typeof WIRES;

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  const inOnePiece = settingsFor(upstream.baseUrl, [SILENT, BILLED], { limits: SHORT });
  const likeStreams = settingsFor(upstream.baseUrl, [WRITING, THINKING], { limits: LONG });
  const models = [inOnePiece, likeStreams].flatMap((file) => (file as { models: object[] }).models);
  settings = writeSettings({ ...inOnePiece, models });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** Asks for a whole reply and leaves once the upstream is at it; resolves when the gateway has noticed. */
async function abandon(wire: Wire, model: string, headers: object = {}): Promise<number> {
  own = await gateway.found({ credits: CREDITS });
  const [before, leftBefore] = [upstream.received.length, leftReplies()];
  const controller = new AbortController();
  const [path, field] = WIRES[wire];
  const asking = fetch(`${gateway.origin}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: modelOf(model), [field]: [{ role: "user", content: "hello there" }] }),
    signal: controller.signal,
  });
  await upstream.arrived(before + 1);
  controller.abort();
  await expect(asking).rejects.toThrow();
  await gateway.services.running.idle();
  while (leftReplies() === leftBefore) await Bun.sleep(1);
  return before;
}

/** The replies that the log has as 499. */
function leftReplies(): number {
  const lines = gateway.services.metrics.render().matchAll(/^bursar_http_requests_total\{.*"499"\} (\d+)/gm);
  return [...lines].reduce((total, [, count]) => total + Number(count), 0);
}

async function endedAs(ending: Parameters<typeof expectEnding>[2]) {
  const { db } = gateway.database;
  const rows = await db.pool.query<{ id: string }>(
    "select request_id as id from requests where org_id = $1",
    [own.id],
  );
  expect(rows.rowCount).toBe(1);
  return expectEnding(
    db,
    { orgId: own.id, requestId: rows.rows[0]?.id ?? "", creditsBefore: CREDITS },
    ending,
  );
}

describe("a client that disconnects from a whole reply", () => {
  for (const wire of Object.keys(WIRES) as Wire[]) {
    test.each([SILENT, WRITING])(
      `of ${wire} pays for its input, and the upstream is stopped: %s`,
      async (model) => {
        const call = await abandon(wire, model);
        await upstream.closed(call);
        const row = await endedAs({ status: "cancelled" });
        expect([row.output_tokens, row.charged]).toEqual([0, row.input_tokens]);
      },
    );
  }

  test("pays for what the model thought so far, too", async () => {
    await upstream.closed(await abandon("api-v1-chat", THINKING));
    const row = await endedAs({ status: "cancelled" });
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.output_tokens).toBeWithin(1, 2_000);
  });

  test("is charged as reported if the provider bills anyway", async () => {
    await abandon("api-v1-chat", BILLED);
    await endedAs({ status: "succeeded", charged: REPORTED });
  });
});
