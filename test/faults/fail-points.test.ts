import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { armFailpoint, type FailPoint, FailpointError } from "../../src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type ChatAsk, FORMS, type Seen } from "./chat-client.ts";
import { creditsOf, expectQuiet, requestRow } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 1_000;
/** Every point that a chat call passes, in order. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_first_byte",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
  "after_settle_commit",
] as const satisfies readonly FailPoint[];

/** Those that a limit of the call itself stands around; the others wait for the database, which has its own. */
const BOUNDED = [
  "before_upstream_send",
  "after_first_byte",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
] as const satisfies readonly FailPoint[];

let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
const disarm: (() => void)[] = [];
beforeAll(async () => {
  settings = writeSettings({ timeouts: { call_ms: 600, settle_ms: 400 } });
  gateway = await startTestGateway(settings.environment);
});
afterEach(() => {
  for (const one of disarm.splice(0)) one();
});
afterAll(async () => {
  await gateway.close();
  settings.remove();
});

/** Acts the first time only: a fault that never ends is another test's. */
function armOnce(point: FailPoint, action: () => void | Promise<void>): () => number {
  let passed = 0;
  disarm.push(armFailpoint(point, () => (++passed === 1 ? action() : undefined)));
  return () => passed;
}

function ask(): ChatAsk {
  return { origin: gateway.origin, of: own, content: "hello" };
}

/** What the client was told and what the ledger holds agree: done is charged, an error is not, or says that it cannot know. */
async function expectHonest(seen: Seen): Promise<void> {
  await gateway.services.running.idle();
  const { db } = gateway.database;
  for (let looks = 0; (await creditsOf(db, own.id)).held > 0; looks++) {
    expect(looks, "the hold is released").toBeLessThan(100);
    await Bun.sleep(10);
  }
  const row = await requestRow(db, seen.requestId);
  const charged = row?.charged ?? 0;
  await expectQuiet(db, own.id, CREDITS - charged);
  if (seen.ended === "done") {
    expect([row?.status, charged]).toEqual(["succeeded", Number(seen.body["credits_charged"])]);
    return;
  }
  const { message } = seen.body["error"] as { message: string };
  if (message.includes("outcome unknown")) return;
  expect([message.includes("Nothing was charged"), charged]).toEqual([true, 0]);
}

for (const [form, see] of FORMS) {
  describe(`${form}: throws`, () => {
    for (const point of POINTS) {
      test(`at ${point}: no hold is left, and the client is told the truth`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const passed = armOnce(point, () => {
          throw new FailpointError(point);
        });
        const seen = await see(ask());
        expect(passed()).toBeGreaterThan(0);
        await expectHonest(seen);
      });
    }
  });

  describe(`${form}: is late`, () => {
    for (const point of POINTS) {
      test(`at ${point}: the call ends well`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const passed = armOnce(point, () => Bun.sleep(20));
        const seen = await see(ask());
        expect([seen.ended, passed() > 0]).toEqual(["done", true]);
        await expectHonest(seen);
      });
    }
  });

  describe(`${form}: hangs`, () => {
    for (const point of BOUNDED) {
      test(`at ${point}: the client is answered within its bounds, and the ledger comes right`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const hanging = Promise.withResolvers<void>();
        const passed = armOnce(point, () => hanging.promise);
        disarm.push(hanging.resolve);
        const seen = await see(ask());
        expect(passed()).toBeGreaterThan(0);
        hanging.resolve();
        await expectHonest(seen);
      }, 3_000);
    }
  });
}
