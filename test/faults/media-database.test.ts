import { afterAll, beforeAll, expect, test } from "bun:test";
import { armFailpoint } from "../../gateway/src/kit/index.ts";
import { sniffMediaType } from "../../gateway/src/media/index.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { creditsOf, expectQuiet, requestRow } from "./ending.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { assetCount, drawInside, expectNoOrphans, MEDIA_FORMS, seen } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;
const [, draw] = MEDIA_FORMS[0];

let upstream: MediaUpstream;
let settings: SettingsFile;
let faulty: FaultyGateway;
beforeAll(async () => {
  upstream = startMediaUpstream();
  const options = { timeouts: { settle_ms: 1_500 }, names: ["good"] };
  settings = writeSettings(mediaSettings(upstream.baseUrl, options));
  faulty = await startFaultyGateway(settings.environment);
});
afterAll(async () => {
  await faulty.close();
  await upstream.close();
  settings.remove();
});

async function drawWhile(
  fault: "short" | "long",
  at: Parameters<typeof armFailpoint>[0] = "before_settle_sql",
  ask = draw,
) {
  const { gateway, link } = faulty;
  const of = await gateway.found({ credits: CREDITS });
  let isDone = false;
  const disarm = armFailpoint(at, () => {
    if (isDone) return;
    isDone = true;
    link.set({ kind: "reset" });
    if (fault === "short") setTimeout(() => link.set({ kind: "pass" }), 60);
  });
  const told = await seen(await ask({ origin: gateway.origin, of, prompt: "A lighthouse", name: "good" }));
  disarm();
  link.set({ kind: "pass" });
  return { of, told };
}

test("a settlement without a database is tried again: the image is charged once and listed once", async () => {
  const { of, told } = await drawWhile("short");
  expect([told.status, told.body["credits_charged"]]).toEqual([200, 5]);
  await expectQuiet(faulty.database.db, of.id, CREDITS - 5);
  expect(await assetCount(faulty.gateway, of.id)).toBe(1);
});

test("a finished image is kept if the database is briefly away before its file is recorded", async () => {
  const { of, told } = await drawWhile("short", "after_upstream_end");
  expect([told.status, told.body["credits_charged"]]).toEqual([200, 5]);
  await expectQuiet(faulty.database.db, of.id, CREDITS - 5);
  expect(await assetCount(faulty.gateway, of.id)).toBe(1);
});

test("an image that is already charged is in its reply, even if the database is briefly away before it is read", async () => {
  const { of, told } = await drawWhile("short", "after_settle_commit", drawInside);
  const [image] = told.body["data"] as { b64_json: string }[];
  expect([told.status, told.body["credits_charged"]]).toEqual([200, 5]);
  expect(sniffMediaType(Buffer.from(image?.b64_json ?? "", "base64"))).toBe("image/png");
  await expectQuiet(faulty.database.db, of.id, CREDITS - 5);
});

test('a settlement without a database for too long is "outcome unknown": charged and listed, or neither', async () => {
  const { of, told } = await drawWhile("long");
  const { message } = told.body["error"] as { message: string };
  expect([told.status, message.includes(`outcome unknown, see request_id ${told.requestId}`)]).toEqual([
    503,
    true,
  ]);
  const { db } = faulty.database;
  for (let looks = 0; (await creditsOf(db, of.id)).held > 0; looks++) {
    expect(looks, "the hold is released").toBeLessThan(800);
    await Bun.sleep(10);
  }
  // A settlement that is no longer awaited may still succeed: then the file is both charged and listed, else neither.
  const row = await requestRow(db, told.requestId);
  const isPaid = row?.status === "succeeded";
  expect([row?.status, row?.charged]).toEqual(isPaid ? ["succeeded", 5] : ["failed", 0]);
  await expectQuiet(db, of.id, isPaid ? CREDITS - 5 : CREDITS);
  expect(await assetCount(faulty.gateway, of.id)).toBe(isPaid ? 1 : 0);
  await expectNoOrphans(faulty.gateway);
});
