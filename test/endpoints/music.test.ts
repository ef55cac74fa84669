import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type MusicModel, planOf } from "../../gateway/src/catalog/index.ts";
import { modelFrom } from "../../gateway/src/catalog/testing.ts";
import type { MusicRequest } from "../../gateway/src/contract/index.ts";
import {
  createCacheMarks,
  createGeneration,
  createTokenCorrections,
  type Generation,
  type MusicCall,
} from "../../gateway/src/generation/index.ts";
import { AppError, newId } from "../../gateway/src/kit/index.ts";
import { createBreaker, createPublicFetch } from "../../gateway/src/outbound/index.ts";
import { createRegistry } from "../../gateway/src/providers/index.ts";
import { createMetrics, noopSpan, silentLog } from "../../gateway/src/telemetry/index.ts";
import { createCacheHabitStore, createTokenSumStore } from "../../gateway/src/usage/index.ts";
import { expectQuiet, rowCounts } from "../faults/ending.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { TINY_PNG } from "../published-asset.ts";
import { BOMB, HTML, MP3, PNG } from "../upstream/media-samples.ts";

const CREDITS = 1_000;
const TALL = Buffer.from(TINY_PNG);
/** A good header before garbage. */
const BROKEN = Buffer.concat([PNG.subarray(0, 60), Buffer.alloc(200, "garbage")]);
const FILES: Record<string, Uint8Array<ArrayBuffer>> = {
  "/a.png": Uint8Array.from(PNG),
  "/tall.png": Uint8Array.from(TALL),
  "/page": Uint8Array.from(HTML),
  "/bomb.png": Uint8Array.from(BOMB),
  "/broken.png": Uint8Array.from(BROKEN),
};
const model = musicModel({
  type: "audio",
  audio_kind: "music",
  credits_per_request: 1,
  price: { per_second: 2 },
  limits: { duration_seconds: { min: 1, max: 60, default: 10 }, styles: ["jazz"] },
  capabilities: ["reference_images"],
});

function musicModel(entry: { type: "audio" } & Record<string, unknown>): MusicModel {
  const built = modelFrom(entry);
  if (built.audioKind !== "music") throw new Error("the entry is one of music");
  return built;
}

let gateway: TestGateway;
let generation: Generation;
let own: TestOrganization;
let asked: MusicRequest[] = [];
let madeMs: number | null = null;
let decidesLength = false;
/** `/slow.png` is answered once a test opens this. */
let gate = Promise.withResolvers<void>();
const fetched: string[] = [];
const pictures = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    fetched.push(pathname);
    if (pathname === "/slow.png") await gate.promise;
    return new Response(pathname === "/slow.png" ? FILES["/a.png"] : (FILES[pathname] ?? null));
  },
});
const address = `127.0.0.1:${pictures.port}`;

beforeAll(async () => {
  gateway = await startTestGateway();
  const { services } = gateway;
  await services.ledger.recordPriceRules([{ ...model.priceRule, model: model.id }]);
  const composer = {
    decidesLength: (upstreamModel: string) => decidesLength && upstreamModel === "m",
    compose: async (_: string, request: MusicRequest) => {
      asked.push(request);
      return { bytes: MP3, mediaType: "audio/mpeg", width: null, height: null, durationMs: madeMs };
    },
  };
  generation = createGeneration({
    ...services,
    registry: createRegistry([{ name: "acme", music: composer }]),
    breaker: createBreaker({ clock: services.clock }),
    metrics: createMetrics(),
    corrections: createTokenCorrections(createTokenSumStore(services.db)),
    marks: createCacheMarks({ store: createCacheHabitStore(services.db), clock: services.clock }),
    fetchPublic: createPublicFetch({ privateHosts: [address] }),
    callTimeoutMs: 5_000,
    firstByteMs: 5_000,
    settleTimeoutMs: 5_000,
    sealed: (_orgId, identity) => identity,
    log: silentLog,
  });
});
afterAll(async () => {
  await gateway.close();
  await pictures.stop(true);
});
beforeEach(async () => {
  asked = [];
  madeMs = null;
  decidesLength = false;
  own = await gateway.found({ credits: CREDITS });
});

async function compose(changes: Partial<MusicCall> = {}, by = own) {
  const { identity, catalog } = gateway.services;
  const found = await identity.authenticate(`Bearer ${by.key}`);
  if (found.outcome !== "ok") throw new Error(found.outcome);
  return generation.audio({
    kind: "music",
    principal: found.principal,
    plan: planOf(catalog.plans, "enterprise"),
    memberUserId: null,
    requestId: newId(),
    endpoint: "api-v1-audio",
    model,
    idempotency: null,
    span: noopSpan,
    prompt: "A calm evening",
    style: "jazz",
    durationMs: 10_000,
    referenceImageUrls: [],
    askAgain: async () => {},
    ...changes,
  });
}

describe("music is charged by its actual length, at most the requested one", () => {
  const cases: readonly [string, number | null, number][] = [
    ["as asked", 10_000, 20],
    ["a little longer", 10_060, 20],
    ["shorter", 7_400, 15],
    ["of unknown length", null, 20],
  ];
  for (const [name, length, charged] of cases) {
    test(name, async () => {
      madeMs = length;
      const paid = await compose();
      expect(Number(paid.creditsCharged)).toBe(charged);
      expect(paid.outcome).toMatchObject({ audioKind: "music", model: model.id });
      await expectQuiet(gateway.database.db, own.id, CREDITS - charged);
    });
  }
});

describe("music of a model that decides the length itself", () => {
  beforeEach(() => {
    decidesLength = true;
  });

  const cases: readonly [string, number | null, number][] = [
    ["as asked", 10_000, 20],
    ["some frames longer", 10_060, 20],
    ["longer", 42_300, 85],
    ["longer than the model's maximum", 180_000, 120],
    ["shorter", 7_400, 15],
    ["of unknown length", null, 20],
  ];
  test.each(cases)(
    "is charged by its actual length, up to the model's maximum: %s",
    async (_name, length, charged) => {
      madeMs = length;
      expect(Number((await compose()).creditsCharged)).toBe(charged);
      await expectQuiet(gateway.database.db, own.id, CREDITS - charged);
    },
  );

  test("needs credits for the model's maximum length", async () => {
    const poor = await gateway.found({ credits: 119 });
    await expect(compose({}, poor)).rejects.toMatchObject({ code: "insufficient_credits" });
    expect(asked).toHaveLength(0);
    await expectQuiet(gateway.database.db, poor.id, 119);
  });

  test("needs them too if only a later target decides, and costs the requested length without it", async () => {
    const [first] = model.targets;
    if (first === undefined) throw new Error("no target");
    const targets = [{ ...first, model: "other" }, first];
    const poor = await gateway.found({ credits: 119 });
    await expect(compose({ model: { ...model, targets } }, poor)).rejects.toMatchObject({
      code: "insufficient_credits",
    });
    madeMs = 42_300;
    expect(Number((await compose({ model: { ...model, targets } })).creditsCharged)).toBe(20);
  });
});

describe("reference images", () => {
  test("are fetched and passed to the provider, one for each URL, in their order", async () => {
    const names = ["/tall.png", "/a.png", "/a.png"];
    await compose({ referenceImageUrls: names.map((name) => `http://${address}${name}`) });
    const passed = asked[0]?.referenceImages.map(({ mediaType, bytes }) => [mediaType, Buffer.from(bytes)]);
    expect(passed).toEqual([TALL, PNG, PNG].map((bytes) => ["image/png", bytes]));
  });

  const refused: readonly [string, string][] = [
    ["an internal address", "http://127.0.0.1:1/a.png"],
    ["a cloud's metadata address", "http://169.254.169.254/latest/meta-data"],
    ["a file URL", "file:///etc/passwd"],
    ["an HTML page", `http://${address}/page`],
    ["an empty file", `http://${address}/empty`],
    ["an image of sixty megapixels", `http://${address}/bomb.png`],
    ["a good header before garbage", `http://${address}/broken.png`],
  ];
  for (const [name, url] of refused) {
    test(`${name} is a validation error: nothing is held, generated or recorded`, async () => {
      const before = await rowCounts(gateway.database.db);
      const attempt = compose({ referenceImageUrls: [`http://${address}/a.png`, url] });
      await expect(attempt).rejects.toMatchObject({
        code: "validation_error",
        status: 400,
        message: expect.stringMatching(/^reference_image_urls\[1\]: must be the/),
      });
      expect(asked).toEqual([]);
      expect(await rowCounts(gateway.database.db)).toEqual(before);
    });
  }

  test("at closed, private and loopback addresses all fail with the same message", async () => {
    const words = async (url: string) =>
      compose({ referenceImageUrls: [url] }).then(
        () => "",
        (error: Error) => error.message,
      );
    const closed = await words("http://127.0.0.1:1/");
    expect(await words("http://10.0.0.1/")).toBe(closed);
    expect(await words("http://localhost:5432/")).toBe(closed);
    expect(await words("http://[::1]/")).toBe(closed);
  });

  test("are not fetched again for a repeat or a conflict", async () => {
    const idempotency = { key: newId(), fingerprint: new Uint8Array(32) };
    const url = `http://${address}/once.png`;
    FILES["/once.png"] = Uint8Array.from(PNG);
    const first = await compose({ idempotency, referenceImageUrls: [url] });
    delete FILES["/once.png"];
    fetched.length = 0;
    const again = await compose({ idempotency, referenceImageUrls: [url] });
    expect(again).toMatchObject({ replayed: true, outcome: first.outcome });
    const other = { ...idempotency, fingerprint: new Uint8Array(32).fill(1) };
    await expect(compose({ idempotency: other, referenceImageUrls: [url] })).rejects.toMatchObject({
      status: 409,
    });
    expect([fetched, asked.length]).toEqual([[], 1]);
    await expectQuiet(gateway.database.db, own.id, CREDITS - 20);
  });

  test("are fetched before the key is checked again; if it was revoked, nothing is held or generated", async () => {
    const url = `http://${address}/a.png`;
    const seen: number[] = [];
    const askAgain = async () => void seen.push(fetched.length);
    fetched.length = 0;
    await compose({ askAgain, referenceImageUrls: [url, url] });
    await compose({ askAgain });
    expect(seen).toEqual([2]);
    asked = [];
    const before = await rowCounts(gateway.database.db);
    const revoked = new AppError("invalid_key", "The API key was revoked.");
    const attempt = compose({ askAgain: () => Promise.reject(revoked), referenceImageUrls: [url] });
    await expect(attempt).rejects.toBe(revoked);
    expect(asked).toEqual([]);
    expect(await rowCounts(gateway.database.db)).toEqual(before);
  });

  test("that are slow do not delay other organizations; too many of one organization get a 429", async () => {
    gate = Promise.withResolvers();
    const slow = { referenceImageUrls: [`http://${address}/slow.png`] };
    const mine = Array.from({ length: 12 }, () => compose(slow).catch((error: unknown) => error));
    const others = await gateway.found({ credits: CREDITS });
    await compose({ referenceImageUrls: [`http://${address}/a.png`] }, others);
    gate.resolve();
    const ends = await Promise.all(mine);
    const refusals = ends.filter((end) => end instanceof AppError);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.length).toBeLessThan(12);
    for (const { code, options } of refusals) {
      expect([code, options.retryAfterSeconds]).toEqual(["rate_limit_exceeded", 1]);
    }
    expect(asked).toHaveLength(12 - refusals.length + 1);
  });
});
