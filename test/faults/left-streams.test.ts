import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { ANSWER_TEXT } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { type ChatAsk, leaveAfter, seeStream } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000;
/** What the upstream reports of a good answer. */
const REPORTED = 20;
/** A client of the main interface is told nothing while the model thinks. */
const THINKING = "thinks:20:5";

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  settings = writeSettings(settingsFor(upstream.baseUrl, [THINKING, `biller/${THINKING}`]));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

async function ask(model: string, more: Partial<ChatAsk> = {}): Promise<ChatAsk> {
  own = await gateway.found({ credits: CREDITS });
  return { origin: gateway.origin, of: own, model: modelOf(model), content: "hello there", ...more };
}

async function endedAs(requestId: string, ending: Parameters<typeof expectEnding>[2]) {
  await gateway.services.running.idle();
  return expectEnding(gateway.database.db, { orgId: own.id, requestId, creditsBefore: CREDITS }, ending);
}

describe("a client who leaves while the model thinks", () => {
  test("is charged as reported where the provider bills anyway", async () => {
    const requestId = await leaveAfter(await ask(`biller/${THINKING}`), "connection_established");
    await endedAs(requestId, { status: "succeeded", charged: REPORTED });
  });

  test("with an Idempotency-Key is charged as reported, and its retry gets the answer", async () => {
    const call = await ask(THINKING, { idempotencyKey: "k" });
    const requestId = await leaveAfter(call, "connection_established");
    await endedAs(requestId, { status: "succeeded", charged: REPORTED });
    const retry = await seeStream(call);
    expect([retry.ended, retry.text, retry.body["request_id"]]).toEqual(["done", ANSWER_TEXT, requestId]);
  });

  test("pays for what it got, at least the input, where the provider stops", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask(THINKING), "connection_established");
    const row = await endedAs(requestId, { status: "cancelled" });
    await upstream.received[before]?.closed;
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.charged).toBeLessThan(REPORTED + 20);
  });
});
