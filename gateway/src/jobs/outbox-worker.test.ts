import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createOutboxFixture, type OutboxFixture, startReceiver } from "../outbox/testing.ts";
import { silentLog } from "../telemetry/index.ts";
import { startOutboxWorker } from "./outbox-worker.ts";

let fixture: OutboxFixture;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await fixture.database.db.pool.query("delete from endpoints");
});

function receive(answer: () => Response | Promise<Response>) {
  const receiver = startReceiver(answer);
  ends.push(receiver.stop);
  return receiver;
}

function work(timeoutMs = 5_000) {
  const worker = startOutboxWorker({
    outbox: fixture.open({ timeoutMs }),
    log: silentLog,
    pace: { idleMs: 20 },
  });
  ends.unshift(() => worker.stop());
  return worker;
}

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await done()) return;
    await Bun.sleep(10);
  }
  throw new Error("it did not come");
}

test("a worker delivers what happens while it runs, soon", async () => {
  const receiver = receive(() => new Response());
  const orgId = await fixture.found();
  await fixture.webhook(orgId, receiver.url);
  work();
  for (let n = 0; n < 100; n++) await fixture.event(orgId, "key.created", { n });
  await until(() => receiver.got.length >= 100);
  expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(100);
});

test("endpoints that never answer do not delay one that does, and hold one delivery each", async () => {
  const silent = receive(() => new Promise<Response>(() => {}));
  const good = receive(() => new Response());
  const [bad, orgId] = [await fixture.found(), await fixture.found()];
  for (let n = 0; n < 12; n++) await fixture.webhook(bad, `${silent.url}/${n}`);
  await fixture.webhook(orgId, good.url);
  for (let n = 0; n < 20; n++) await fixture.event(bad, "key.created", { n });
  for (let n = 0; n < 50; n++) await fixture.event(orgId, "key.created", { n });
  const startedMs = performance.now();
  work();
  await until(() => good.got.length >= 50);
  // The silent ones are cut off after five seconds.
  expect(performance.now() - startedMs).toBeLessThan(4_000);
  expect(silent.got.length).toBeLessThanOrEqual(12);
});

test("what is under way when a worker stops is delivered by the next one once its claim has ended", async () => {
  const isStuck = { now: true };
  const receiver = receive(() => (isStuck.now ? new Promise<Response>(() => {}) : new Response()));
  const orgId = await fixture.found();
  await fixture.webhook(orgId, receiver.url);
  await fixture.event(orgId);
  const outbox = fixture.open({ timeoutMs: 60_000 });
  const worker = startOutboxWorker({ outbox, log: silentLog, pace: { idleMs: 20, stopWaitMs: 10 } });
  await until(() => receiver.got.length === 1);
  await worker.stop();
  isStuck.now = false;
  work();
  await fixture.database.advanceClock(60_001);
  await until(async () => {
    const { rows } = await fixture.database.db.pool.query("select status from deliveries");
    return rows.length === 1 && rows[0]?.["status"] === "delivered";
  });
  expect(receiver.got).toHaveLength(2);
});
