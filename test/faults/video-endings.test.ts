import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { startTestBucket } from "../s3-server.ts";
import { PNG } from "../upstream/media-samples.ts";
import { startVideoQueue, type VideoQueue, videoSettings } from "../upstream/video-queue.ts";
import { expectEnding, expectQuiet } from "./ending.ts";
import { expectNoOrphans } from "./media-client.ts";
import { startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { endOfVideo, pollVideo, type SeenVideo, startWorking, submitVideo } from "./video-client.ts";

const CREDITS = 100;
const COST = 20;
const TEST_LIMIT_MS = 30_000;
/** Longer than any pause of a job. */
const PAUSE_MS = 31_000;
const PICTURE = PNG.toString("base64");

let queue: VideoQueue;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  queue = startVideoQueue();
  settings = writeSettings(videoSettings(queue));
  settings.environment["BURSAR_PRIVATE_MEDIA_HOSTS"] = queue.host;
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await queue.close();
  settings.remove();
});

async function begin(of: TestOrganization, course: string): Promise<string> {
  const told = await submitVideo({ origin: gateway.origin, of }, { model: `video-${course}` });
  const body = (await told.json()) as { request_id: string; credits_estimate: number };
  expect([told.status, body.credits_estimate]).toEqual([200, COST]);
  return body.request_id;
}

/**
 * True if nobody works on the job and it is not due. Only then should time pass; otherwise its deadline would only come
 * closer.
 */
async function isResting(requestId: string): Promise<boolean> {
  const { rowCount } = await gateway.database.db.pool.query(
    "select 1 from video_jobs where request_id = $1 and lease is null and due_at > bursar_now()",
    [requestId],
  );
  return rowCount === 1;
}

/** Polls to the end, skipping the pauses between steps. */
async function hasten(of: TestOrganization, requestId: string): Promise<SeenVideo> {
  for (let looks = 0; looks < 1_000; looks++) {
    const seen = await pollVideo({ origin: gateway.origin, of }, requestId);
    if (seen.status !== "processing") return seen;
    if (await isResting(requestId)) {
      await gateway.database.advanceClock(PAUSE_MS);
      gateway.services.videoWorker?.wake();
    }
    await Bun.sleep(15);
  }
  throw new Error("the job does not end");
}

const COURSES = [
  ["a vendor with unknown states", "odd", "succeeded"],
  ["a vendor that reports failed and then done", "wavering", "failed:provider_error"],
  ["a vendor that is unreachable for a while", "flaky", "succeeded"],
  ["a vendor that lost the order", "forgetful", "failed:provider_error"],
  ["a vendor that is full", "full", "failed:provider_error"],
  ["a video at an internal address", "inside", "failed:provider_error"],
  ["a video that is a web page", "html", "failed:provider_error"],
  ["a video that is too large", "huge", "failed:provider_error"],
  ["a video that breaks off at first", "cut", "succeeded"],
  ["a vendor that never finishes", "stuck", "failed:timeout"],
] as const;

describe("the end of a job", () => {
  for (const [name, course, ends] of COURSES) {
    test(
      `${name}: ${ends}, charged only if a video is delivered`,
      async () => {
        const { db } = gateway.database;
        const of = await gateway.found({ credits: CREDITS });
        const requestId = await begin(of, course);
        const seen = await hasten(of, requestId);
        const isComplete = ends === "succeeded";
        expect(seen).toMatchObject({
          request_id: requestId,
          status: isComplete ? "complete" : "failed",
          provider_status: ends,
          credits_charged: isComplete ? COST : 0,
        });
        expect("video_url" in seen).toBe(isComplete);
        await gateway.database.advanceClock(PAUSE_MS);
        expect(await pollVideo({ origin: gateway.origin, of }, requestId)).toEqual(seen);
        await expectEnding(
          db,
          { orgId: of.id, requestId, creditsBefore: CREDITS },
          isComplete
            ? { status: "succeeded", charged: COST }
            : { status: "failed", charged: 0, errorCode: "internal_error" },
        );
        await expectNoOrphans(gateway);
      },
      TEST_LIMIT_MS,
    );
  }
});

test.each([
  ["is not a video is fetched once", "html", 1],
  ["is too large is fetched once", "huge", 1],
  ["broke off is fetched again", "cut", 2],
] as const)("a file that %s", async (_, course, times) => {
  const before = queue.fetched.length;
  const of = await gateway.found({ credits: CREDITS });
  await hasten(of, await begin(of, course));
  expect(queue.fetched.slice(before)).toEqual(Array(times).fill(course));
});

test("fifty concurrent pollers see the same end, with one charge, and no result fields before it", async () => {
  const of = await gateway.found({ credits: CREDITS, plan: "enterprise" });
  const requestId = await begin(of, "good");
  const ends = await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let looks = 0; looks < 40; looks++) {
        const seen = await pollVideo({ origin: gateway.origin, of }, requestId);
        if (seen.status !== "processing") return seen;
        expect(Object.keys(seen).sort()).toEqual([
          ...["credits_estimate", "model", "provider_status", "request_id", "status"],
        ]);
        await Bun.sleep(50);
      }
      return null;
    }),
  );
  expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
  expect(ends[0]).toMatchObject({ status: "complete", credits_charged: COST });
  await expectQuiet(gateway.database.db, of.id, CREDITS - COST);
});

test("usage shows a running job and its final charge; polling a deleted video returns no URL", async () => {
  const of = await gateway.found({ credits: CREDITS });
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(`${gateway.origin}/functions/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${of.key}` },
    });
    return (await response.json()) as Record<string, never>;
  };
  const stuck = await begin(of, "stuck");
  const usage = await ask("api-v1-usage");
  expect(usage["requests"]).toMatchObject([
    { request_id: stuck, status: "processing", endpoint: "api-v1-video", credits_charged: 0 },
  ]);
  const requestId = await begin(of, "good");
  await endOfVideo({ origin: gateway.origin, of }, requestId);
  await hasten(of, stuck);
  const after = await ask("api-v1-usage?days=2");
  expect(after["summary"]).toMatchObject({ requests: 2, failed_requests: 1, credits_charged: COST });
  const { assets } = (await ask("api-v1-assets")) as unknown as { assets: { id: string }[] };
  await ask(`api-v1-assets?asset_id=${assets[0]?.id}`, "DELETE");
  const seen = await pollVideo({ origin: gateway.origin, of }, requestId);
  expect([seen.status, seen.credits_charged, "video_url" in seen]).toEqual(["complete", COST, false]);
});

test(
  "over S3: another process completes the job of a dead one, with one charge and no stray object",
  async () => {
    const bucket = await startTestBucket();
    const environment = { ...settings.environment, ...bucket.environment };
    const own = await startTestGateway(environment, { runsVideoJobs: false });
    try {
      const of = await own.found({ credits: CREDITS });
      const dying = await startNode(own.database.db.url, {
        ...environment,
        BURSAR_SECRET: own.services.secret,
        BURSAR_FAILPOINTS: "asset_after_write=kill",
      });
      const body = { model: "video-good", reference_image: PICTURE };
      const told = await submitVideo({ origin: dying.origin, of }, body);
      const { request_id } = (await told.json()) as { request_id: string };
      await dying.exited;
      await dying.remove();
      await own.database.advanceClock(PAUSE_MS);
      const working = startWorking(own);
      const seen = await endOfVideo({ origin: own.origin, of }, request_id);
      await working.stop();
      expect(seen).toMatchObject({ status: "complete", credits_charged: COST });
      const video = await fetch(`${own.origin}${new URL(seen.video_url ?? "").pathname}`);
      expect([video.status, video.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      await own.database.advanceClock(3 * 60 * 60_000);
      await own.services.library.sweep();
      expect((await own.database.db.pool.query("select 1 from stray_objects")).rowCount).toBe(0);
      await expectQuiet(own.database.db, of.id, CREDITS - COST);
    } finally {
      await own.close();
      await bucket.close();
    }
  },
  TEST_LIMIT_MS,
);
