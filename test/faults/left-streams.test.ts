import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { ANSWER_TEXT } from "../upstream/chat-wire.ts";
import { type MisbehavingUpstream, startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { type ChatAsk, leaveAfter, seeStream } from "./chat-client.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { modelOf, settingsFor } from "./upstream-models.ts";

const CREDITS = 100_000;
/** What the upstream reports for a good answer. */
const REPORTED = 20;
/** On the native interface, a client receives nothing while the model is reasoning. */
const THINKING = "thinks:20:5";
/** Forty words; below, what the upstream reports for them. */
const WORDS = "chunks:40:5";
const REPORTED_OF_WORDS = 11 + 40;
/** Longer than it takes to notice that a client has disconnected. */
const LONG_THINKING = "thinks:2000:5";
const MANY_WORDS = "chunks:2000:5";
const MODELS = [
  THINKING,
  LONG_THINKING,
  `biller/${THINKING}`,
  `${MANY_WORDS}|biller/ok`,
  `close|biller/${WORDS}`,
  `silent|biller/ok`,
  `biller/${THINKING}|ok`,
  `biller/hold:503|${WORDS}`,
  `biller/hold:503|biller/${WORDS}`,
];

let upstream: MisbehavingUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  settings = writeSettings(settingsFor(upstream.baseUrl, MODELS));
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

/** 0 once the gateway has noticed that all clients have disconnected. */
function openStreams(): number {
  return Number(/^bursar_streams_open (\d+)/m.exec(gateway.services.metrics.render())?.[1]);
}

describe("a client that disconnects during reasoning", () => {
  test("is charged as reported if the provider bills anyway", async () => {
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

  test("pays for input and delivered output if the provider stops", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask(LONG_THINKING), "connection_established");
    const row = await endedAs(requestId, { status: "cancelled" });
    await upstream.closed(before);
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.output_tokens).toBeLessThan(2_000);
  });
});

describe("a client that disconnects from a stream of a model with targets of both kinds", () => {
  test("pays for what it got if the answering target stops", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask(`${MANY_WORDS}|biller/ok`), "event: content");
    const row = await endedAs(requestId, { status: "cancelled" });
    await upstream.closed(before);
    expect(row.charged).toBe(row.input_tokens + row.output_tokens);
    expect(row.output_tokens).toBeWithin(1, 2_000);
  });

  test("is charged as reported if the answering target bills anyway", async () => {
    const requestId = await leaveAfter(await ask(`close|biller/${WORDS}`), "event: content");
    await endedAs(requestId, { status: "succeeded", charged: REPORTED_OF_WORDS });
  });

  test("before the first byte pays for the input if the called target stops, and no other is called", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask("silent|biller/ok"), "connection_established");
    const row = await endedAs(requestId, { status: "cancelled" });
    expect([row.output_tokens, row.charged]).toEqual([0, row.input_tokens]);
    expect(upstream.received.length).toBeLessThanOrEqual(before + 1);
  });

  test("before the first byte is charged as reported if the called target bills anyway", async () => {
    const requestId = await leaveAfter(await ask(`biller/${THINKING}|ok`), "connection_established");
    await endedAs(requestId, { status: "succeeded", charged: REPORTED });
  });

  test("before a target that bills anyway fails pays nothing, and a target that stops is not called", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(await ask(`biller/hold:503|${WORDS}`), "connection_established");
    await upstream.arrived(before + 1);
    while (openStreams() > 0) await Bun.sleep(1);
    upstream.openGate();
    await endedAs(requestId, { status: "failed", errorCode: "internal_error", charged: 0 });
    expect(upstream.received.length).toBe(before + 1);
  });

  test("before a target that bills anyway fails is charged as reported by the next one that bills anyway", async () => {
    const before = upstream.received.length;
    const requestId = await leaveAfter(
      await ask(`biller/hold:503|biller/${WORDS}`),
      "connection_established",
    );
    await upstream.arrived(before + 1);
    while (openStreams() > 0) await Bun.sleep(1);
    upstream.openGate();
    await endedAs(requestId, { status: "succeeded", charged: REPORTED_OF_WORDS });
  });
});
