import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { armFailpoint, type FailPoint, FailpointError } from "../../src/kit/index.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import type { Seen } from "./chat-client.ts";
import { creditsOf, expectQuiet, requestRow } from "./ending.ts";
import { assetCount, expectNoOrphans, MEDIA_FORMS, seen } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;
/** Every point that a media call passes, in order. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_upstream_end",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
  "after_settle_commit",
] as const satisfies readonly FailPoint[];

/** Those that a limit of the call itself stands around. */
const BOUNDED = [
  "before_upstream_send",
  "after_upstream_end",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
] as const satisfies readonly FailPoint[];

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
const disarm: (() => void)[] = [];
beforeAll(async () => {
  upstream = startMediaUpstream();
  const options = { timeouts: { call_ms: 600, settle_ms: 400 }, names: ["good"] };
  settings = writeSettings(mediaSettings(upstream.baseUrl, options));
  gateway = await startTestGateway(settings.environment);
});
afterEach(() => {
  for (const one of disarm.splice(0)) one();
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/** Acts the first time only: a fault that never ends is another test's. */
function armOnce(point: FailPoint, action: () => void | Promise<void>): () => number {
  let passed = 0;
  disarm.push(armFailpoint(point, () => (++passed === 1 ? action() : undefined)));
  return () => passed;
}

async function ask(send: (typeof MEDIA_FORMS)[number][1]): Promise<Seen> {
  return seen(await send({ origin: gateway.origin, of: own, prompt: "A lighthouse", name: "good" }));
}

/** A file is listed exactly when it was charged, and the client was told so, or that nobody can know yet. */
async function expectHonest(told: Seen): Promise<void> {
  await gateway.services.running.idle();
  const { db } = gateway.database;
  for (let looks = 0; (await creditsOf(db, own.id)).held > 0; looks++) {
    expect(looks, "the hold is released").toBeLessThan(100);
    await Bun.sleep(10);
  }
  const row = await requestRow(db, told.requestId);
  const charged = row?.charged ?? 0;
  await expectQuiet(db, own.id, CREDITS - charged);
  expect(await assetCount(gateway, own.id)).toBe(charged > 0 ? 1 : 0);
  if (told.ended === "done") {
    expect([row?.status, charged]).toEqual(["succeeded", Number(told.body["credits_charged"])]);
    return;
  }
  const { message } = told.body["error"] as { message: string };
  if (message.includes("outcome unknown")) return;
  expect([message.includes("Nothing was charged"), charged]).toEqual([true, 0]);
}

for (const [form, send] of MEDIA_FORMS) {
  describe(`${form}: throws`, () => {
    for (const point of POINTS) {
      test(`at ${point}: no hold is left, no file is listed unpaid, and the client is told the truth`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const passed = armOnce(point, () => {
          throw new FailpointError(point);
        });
        const told = await ask(send);
        expect(passed()).toBeGreaterThan(0);
        await expectHonest(told);
      });
    }
  });

  describe(`${form}: is late`, () => {
    for (const point of POINTS) {
      test(`at ${point}: the call ends well`, async () => {
        own = await gateway.found({ credits: CREDITS });
        const passed = armOnce(point, () => Bun.sleep(20));
        const told = await ask(send);
        expect([told.ended, passed() > 0]).toEqual(["done", true]);
        await expectHonest(told);
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
        const told = await ask(send);
        expect(passed()).toBeGreaterThan(0);
        hanging.resolve();
        await expectHonest(told);
      }, 3_000);
    }
  });
}

test("whatever was left at any point is swept", async () => {
  await expectNoOrphans(gateway);
});
