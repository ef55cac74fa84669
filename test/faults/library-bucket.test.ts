import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { armFailpoint } from "../../gateway/src/kit/index.ts";
import { sniffMediaType } from "../../gateway/src/media/index.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { publishTestAsset, TINY_PNG } from "../published-asset.ts";
import { type ScriptedBucket, s3Error, startScriptedBucket } from "../scripted-bucket.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { expectQuiet } from "./ending.ts";
import { drawInside, seen } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { endOfVideo, submitVideo } from "./video-client.ts";

let bucket: ScriptedBucket;
let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  bucket = startScriptedBucket();
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl, { names: ["good"] }));
  gateway = await startTestGateway({ ...settings.environment, ...bucket.environment });
  own = await gateway.found();
});
afterAll(async () => {
  await gateway.close();
  await bucket.close();
  await upstream.close();
  settings.remove();
});

async function publishedUrl(): Promise<string> {
  bucket.answer(() => null);
  const { urlToken } = await publishTestAsset(gateway, own);
  return `${gateway.origin}/library/${urlToken}.png`;
}

describe("the URL of a file", () => {
  test.each([
    ["whole", {}],
    ["in part", { range: "bytes=3-9" }],
  ])("answers 503 while its bucket refuses, requested %s", async (_, headers: Record<string, string>) => {
    const url = await publishedUrl();
    bucket.answer(({ method }) => (method === "GET" ? s3Error(403, "AccessDenied") : null));
    const reply = await fetch(url, { headers });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await reply.json()).toMatchObject({
      error: {
        code: "internal_error",
        message: "The file's store does not answer. Try again in a moment.",
      },
    });
    bucket.answer(() => null);
    const again = await fetch(url);
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(TINY_PNG);
  });
});

const busy = () => s3Error(503, "SlowDown");
/** More than the store itself asks before it gives up. */
const MANY_TIMES = 7;

/** Returns how often the bucket has refused so far. */
function refuseAtFirst(
  times: number,
  refusalOf: (request: { method: string; path: string }) => Response | null,
): () => number {
  let refusals = 0;
  bucket.answer((request) => {
    const refusal = refusals < times ? refusalOf(request) : null;
    if (refusal !== null) refusals++;
    return refusal;
  });
  return () => refusals;
}

test.each([
  ["does not find it", "HEAD", busy, MANY_TIMES],
  ["denies that it exists", "HEAD", () => s3Error(404, "NoSuchKey"), 2],
  ["does not send it", "GET", busy, MANY_TIMES],
] as const)(
  "an image that is already charged is in its reply, even if its bucket %s at first",
  async (...row) => {
    const [, refused, refusal, times] = row;
    const of = await gateway.found({ credits: 100 });
    let refusals = () => 0;
    const disarm = armFailpoint("after_settle_commit", () => {
      refusals = refuseAtFirst(times, ({ method }) => (method === refused ? refusal() : null));
    });
    const told = await seen(
      await drawInside({ origin: gateway.origin, of, prompt: "A lighthouse", name: "good" }),
    ).finally(disarm);
    const [image] = told.body["data"] as { b64_json: string }[];
    expect([told.status, told.body["credits_charged"], refusals()]).toEqual([200, 5, times]);
    expect(sniffMediaType(Buffer.from(image?.b64_json ?? "", "base64"))).toBe("image/png");
    await expectQuiet(gateway.database.db, of.id, 95);
  },
);

test("a sandbox video is made although its reference image cannot be read at first", async () => {
  const of = await gateway.found({ credits: 100 });
  const asking = { origin: gateway.origin, of };
  const refusals = refuseAtFirst(MANY_TIMES, ({ method, path }) =>
    method === "GET" && path.includes("/private/") ? busy() : null,
  );
  const submitted = await submitVideo(asking, {
    ...{ model: "sandbox-video", duration: 1, resolution: "480p" },
    reference_image: TINY_PNG.toBase64(),
  });
  const { request_id } = (await submitted.json()) as { request_id: string };
  expect(await endOfVideo(asking, request_id)).toMatchObject({ status: "complete", credits_charged: 5 });
  expect(refusals()).toBe(MANY_TIMES);
  await expectQuiet(gateway.database.db, of.id, 95);
}, 60_000);
