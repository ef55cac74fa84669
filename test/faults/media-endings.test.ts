import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mediaSettings } from "../endpoints/media-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { expectEnding, expectQuiet } from "./ending.ts";
import { assetCount, expectNoOrphans, MEDIA_FORMS, type MediaAsk, seen } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const CREDITS = 100;

let upstream: MediaUpstream;
let spare: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  spare = startMediaUpstream();
  const names = [...FAILURES.map(([prompt]) => nameOf(prompt)), "shutdown", "lease_lost"];
  const options = { spareUrl: spare.baseUrl, timeouts: { first_byte_ms: 300 }, names };
  settings = writeSettings(mediaSettings(upstream.baseUrl, options));
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), spare.close()]);
  settings.remove();
});

async function asker(prompt: string): Promise<MediaAsk> {
  own = await gateway.found({ credits: CREDITS });
  return { origin: gateway.origin, of: own, prompt, name: nameOf(prompt) };
}

function nameOf(prompt: string): string {
  return prompt.replace("=", "-");
}

function endedAs(requestId: string, ending: Parameters<typeof expectEnding>[2]) {
  return expectEnding(gateway.database.db, { orgId: own.id, requestId, creditsBefore: CREDITS }, ending);
}

/** What the provider does, and the status our caller gets. None of it may cost anything. */
const FAILURES: readonly [prompt: string, ours: number][] = [
  ["status=400", 400],
  ["status=401", 502],
  ["status=404", 502],
  ["status=429", 503],
  ["status=500", 502],
  ["svg", 502],
  ["html", 502],
  ["empty", 502],
  ["hang", 504],
  ["none", 502],
  ["bomb", 502],
  ["hosted", 502],
];
/** Faults that only an image can have. */
const OF_PICTURES: readonly string[] = ["none", "bomb", "hosted"];

for (const [form, ask] of MEDIA_FORMS) {
  describe(`${form}: a provider that fails costs nothing`, () => {
    for (const [prompt, ours] of FAILURES) {
      if (form === "a sound" && OF_PICTURES.includes(prompt)) continue;
      test(prompt, async () => {
        const failed = await seen(await ask(await asker(prompt)));
        expect([failed.status, failed.ended]).toEqual([ours, "error"]);
        const errorCode = ours === 400 ? "validation_error" : "internal_error";
        expect(JSON.stringify(failed.body)).not.toMatch(/sk-upstream|127\.0\.0\.1|localhost/);
        await endedAs(failed.requestId, { status: "failed", charged: 0, errorCode });
        expect(await assetCount(gateway, own.id)).toBe(0);
      });
    }
  });

  test(`${form}: a client that disconnects pays for the file, and its retry gets it`, async () => {
    const waiting = startMediaUpstream();
    const held = writeSettings(mediaSettings(waiting.baseUrl, { names: ["slow"] }));
    const other = await startTestGateway(held.environment);
    const of = await other.found({ credits: CREDITS });
    const call = { origin: other.origin, of, prompt: "wait", name: "slow", idempotencyKey: "k" };
    const controller = new AbortController();
    const leaving = ask({ ...call, signal: controller.signal });
    while (waiting.received.length === 0) await Bun.sleep(1);
    controller.abort();
    await expect(leaving).rejects.toThrow();
    waiting.letGo();
    await other.services.running.idle();
    expect(await assetCount(other, of.id)).toBe(1);
    const retry = await ask(call);
    expect([retry.status, retry.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(waiting.received).toHaveLength(1);
    await expectQuiet(other.database.db, of.id, CREDITS - 5);
    await other.close();
    await waiting.close();
    held.remove();
  });
}

for (const reason of ["shutdown", "lease_lost"] as const) {
  test(`a call that is cut by ${reason} costs nothing, and the next call with its key succeeds`, async () => {
    const [, draw] = MEDIA_FORMS[0];
    const before = upstream.received.length;
    const call = { ...(await asker("hang")), name: reason, idempotencyKey: "k" };
    const cut = draw(call);
    while (upstream.received.length === before) await Bun.sleep(1);
    gateway.services.running.stopAll(reason);
    const told = await seen(await cut);
    expect(told.status).toBe(503);
    await endedAs(told.requestId, { status: "failed", charged: 0, errorCode: "internal_error" });
    // Another body under a key that is still taken would be a conflict.
    expect((await draw({ ...call, prompt: "A lighthouse" })).status).toBe(200);
  });
}

describe("an image", () => {
  const [, draw] = MEDIA_FORMS[0];

  test("is requested from the next target if the first one fails or returns an unusable file", async () => {
    for (const prompt of ["status=500", "status=429", "svg"]) {
      const before = spare.received.length;
      const failed = await draw({ ...(await asker(prompt)), name: "twice" });
      expect(failed.ok).toBe(false);
      expect(spare.received).toHaveLength(before + 1);
    }
  });

  test("that the provider rejects is not requested from the next target", async () => {
    const before = spare.received.length;
    const failed = await draw({ ...(await asker("status=400")), name: "twice" });
    expect(failed.status).toBe(400);
    expect(spare.received).toHaveLength(before);
  });
});

test("the sweep removes the files that were stored but not charged, and no others", async () => {
  await expectNoOrphans(gateway);
});
