import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { expectQuiet } from "./ending.ts";
import { expectNoOrphans } from "./media-client.ts";
import { startNode } from "./node-process.ts";
import { endOfVideo, jobOf, pollVideo, startWorking, submitVideo } from "./video-client.ts";

const CREDITS = 100;
/** One second of the smallest video. */
const VIDEO = { model: "sandbox-video", duration: 1, resolution: "480p" };
const COST = 5;
const TEST_LIMIT_MS = 60_000;
const BEYOND_A_LEASE_MS = 31_000;

/** Points with the same result for any provider; every push covers them with one that renders nothing. */
const POINTS_TOO: readonly FailPoint[] = ["poll_after_fetch", "asset_after_write", "before_settle_sql"];

/** The sandbox uses our id as its key, so after a death at any step, the video is still made. */
const POINTS: readonly FailPoint[] = [
  "before_upstream_send",
  "after_upstream_send",
  ...(process.env["BURSAR_TEST_LONG"] === "1" ? POINTS_TOO : []),
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { runsVideoJobs: false });
});
afterAll(() => gateway.close());

/** On a plan without monthly credits, because a month begins while these tests run. */
const found = () => gateway.found({ credits: CREDITS, plan: "free" });
const asking = (of: { key: string }) => ({ origin: gateway.origin, of });

describe("kill -9 of the process that makes a sandbox video", () => {
  for (const point of POINTS) {
    test(
      `at ${point}: the next process makes it, with one charge`,
      async () => {
        const { database, services } = gateway;
        const of = await found();
        const dying = await startNode(database.db.url, {
          BURSAR_DATA_DIR: services.config.dataDir,
          BURSAR_SECRET: services.secret,
          BURSAR_FAILPOINTS: `${point}=kill`,
        });
        await submitVideo({ origin: dying.origin, of }, VIDEO).catch(() => null);
        await dying.exited;
        await dying.remove();
        await database.advanceClock(BEYOND_A_LEASE_MS);
        const requestId = (await jobOf(gateway, of.id)) ?? "";
        const working = startWorking(gateway);
        const seen = await endOfVideo(asking(of), requestId);
        await working.stop();
        expect(seen).toMatchObject({ status: "complete", credits_charged: COST });
        await expectQuiet(database.db, of.id, CREDITS - COST);
        await expectNoOrphans(gateway);
      },
      TEST_LIMIT_MS,
    );
  }
});

describe("a directive", () => {
  test(
    "[sandbox:fail] fails the job, without a charge",
    async () => {
      const of = await found();
      const told = await submitVideo(asking(of), { ...VIDEO, prompt: "[sandbox:fail] a boat" });
      const { request_id } = (await told.json()) as { request_id: string };
      const working = startWorking(gateway);
      const seen = await endOfVideo(asking(of), request_id);
      await working.stop();
      expect(seen).toMatchObject({ status: "failed", credits_charged: 0 });
      await expectQuiet(gateway.database.db, of.id, CREDITS);
    },
    TEST_LIMIT_MS,
  );

  test(
    "[sandbox:processing=1s] keeps the job processing for that long",
    async () => {
      const of = await found();
      const told = await submitVideo(asking(of), { ...VIDEO, prompt: "[sandbox:processing=1s] a boat" });
      const { request_id } = (await told.json()) as { request_id: string };
      const working = startWorking(gateway);
      const startedMs = performance.now();
      expect((await pollVideo(asking(of), request_id)).status).toBe("processing");
      expect((await endOfVideo(asking(of), request_id)).status).toBe("complete");
      expect(performance.now() - startedMs).toBeGreaterThan(900);
      await working.stop();
    },
    TEST_LIMIT_MS,
  );
});

test(
  "a sandbox video is an MP4 of the requested length and height, served with ranges",
  async () => {
    const of = await found();
    const told = await submitVideo(asking(of), { ...VIDEO, generate_audio: true, seed: 7 });
    const { request_id } = (await told.json()) as { request_id: string };
    const working = startWorking(gateway);
    const seen = await endOfVideo(asking(of), request_id);
    await working.stop();
    const { pathname } = new URL(seen.video_url ?? "");
    const part = await fetch(`${gateway.origin}${pathname}`, { headers: { range: "bytes=0-11" } });
    expect([part.status, part.headers.get("content-type")]).toEqual([206, "video/mp4"]);
    expect(await part.text()).toContain("ftyp");
    const { assets } = (await (
      await fetch(`${gateway.origin}/functions/v1/api-v1-assets`, {
        headers: { authorization: `Bearer ${of.key}` },
      })
    ).json()) as { assets: { height: number; duration_seconds: number }[] };
    expect(assets[0]?.height).toBe(480);
    expect(Math.abs((assets[0]?.duration_seconds ?? 0) - 1)).toBeLessThan(0.2);
  },
  TEST_LIMIT_MS,
);
