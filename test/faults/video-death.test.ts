import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { PNG } from "../upstream/media-samples.ts";
import { startVideoQueue, type VideoQueue, videoSettings } from "../upstream/video-queue.ts";
import { expectQuiet } from "./ending.ts";
import { expectNoOrphans } from "./media-client.ts";
import { startNode } from "./node-process.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { endOfVideo, jobOf, startWorking, submitVideo } from "./video-client.ts";

const CREDITS = 100;
const COST = 20;
const TEST_LIMIT_MS = 60_000;
const BEYOND_A_LEASE_MS = 31_000;
const PICTURE = PNG.toString("base64");

/** Points that other kinds of call cover on every push. */
const ENDS_TOO: readonly (readonly [FailPoint, "complete" | "interrupted"])[] = [
  ["after_reply", "complete"],
  ["after_upstream_headers", "interrupted"],
];

/** What becomes of a job whose process died at this point, with a provider that does not know our id. */
const ENDS: readonly (readonly [FailPoint, "nothing" | "complete" | "interrupted"])[] = [
  ["before_hold", "nothing"],
  ["after_hold_sql", "complete"],
  ["after_hold_commit", "complete"],
  ["before_upstream_send", "interrupted"],
  ["after_upstream_send", "interrupted"],
  ["poll_after_fetch", "complete"],
  ["asset_after_write", "complete"],
  ["before_settle_sql", "complete"],
  ["after_settle_sql", "complete"],
  ["asset_after_row", "complete"],
  ...(process.env["BURSAR_TEST_LONG"] === "1" ? ENDS_TOO : []),
];

let queue: VideoQueue;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  queue = startVideoQueue();
  settings = writeSettings(videoSettings(queue));
  settings.environment["BURSAR_PRIVATE_MEDIA_HOSTS"] = queue.host;
  gateway = await startTestGateway(settings.environment, { runsVideoJobs: false });
});
afterAll(async () => {
  await gateway.close();
  await queue.close();
  settings.remove();
});

/** Another node on this gateway's database and object store. */
function node(environment: Record<string, string> = {}) {
  const { secret, config } = gateway.services;
  return startNode(gateway.database.db.url, {
    ...settings.environment,
    BURSAR_DATA_DIR: config.dataDir,
    BURSAR_SECRET: secret,
    ...environment,
  });
}

describe("kill -9 of the process that runs a job", () => {
  for (const [point, end] of ENDS) {
    test(
      `at ${point}: ends ${end === "complete" ? "complete, with one charge" : `in ${end}, for nothing`}`,
      async () => {
        const { db } = gateway.database;
        const of = await gateway.found({ credits: CREDITS, isRenewed: false });
        const before = queue.orders.length;
        const dying = await node({ BURSAR_FAILPOINTS: `${point}=kill` });
        const body = { model: "video-good", reference_image: PICTURE, prompt: point };
        const told = await submitVideo({ origin: dying.origin, of }, body).catch(() => null);
        await dying.exited;
        await dying.remove();
        await gateway.database.advanceClock(BEYOND_A_LEASE_MS);
        const requestId = await jobOf(gateway, of.id);
        if (told !== null) expect(await told.json()).toMatchObject({ request_id: requestId });
        if (end === "nothing" || requestId === null) {
          expect([end, requestId]).toEqual(["nothing", null]);
        } else {
          const working = startWorking(gateway);
          const seen = await endOfVideo({ origin: gateway.origin, of }, requestId);
          await working.stop();
          const isComplete = end === "complete";
          expect(seen).toMatchObject({
            status: isComplete ? "complete" : "failed",
            provider_status: isComplete ? "succeeded" : "failed:interrupted",
            credits_charged: isComplete ? COST : 0,
          });
          expect(queue.orders.length - before).toBeLessThanOrEqual(1);
        }
        await expectQuiet(db, of.id, end === "complete" ? CREDITS - COST : CREDITS);
        await expectNoOrphans(gateway);
      },
      TEST_LIMIT_MS,
    );
  }

  test(
    "a process that starts afterwards completes the job, and serves its video",
    async () => {
      const of = await gateway.found({ credits: CREDITS, isRenewed: false });
      const dying = await node({ BURSAR_FAILPOINTS: "poll_after_fetch=kill" });
      const told = await submitVideo({ origin: dying.origin, of }, { model: "video-good" });
      const { request_id } = (await told.json()) as { request_id: string };
      await dying.exited;
      await dying.remove();
      await gateway.database.advanceClock(BEYOND_A_LEASE_MS);
      const heir = await node();
      try {
        const seen = await endOfVideo({ origin: heir.origin, of }, request_id);
        expect(seen.status).toBe("complete");
        const { pathname } = new URL(seen.video_url ?? "");
        const video = await fetch(`${heir.origin}${pathname}`);
        expect([video.status, video.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      } finally {
        await heir.remove();
      }
      await expectQuiet(gateway.database.db, of.id, CREDITS - COST);
    },
    TEST_LIMIT_MS,
  );
});

test(
  "a process stopped for longer than its lease neither charges nor publishes a job that another one ended",
  async () => {
    const { db } = gateway.database;
    const of = await gateway.found({ credits: CREDITS, isRenewed: false });
    const zombie = await node({ BURSAR_FAILPOINTS: "asset_after_write=delay:1500" });
    try {
      const told = await submitVideo({ origin: zombie.origin, of }, { model: "video-good" });
      const { request_id } = (await told.json()) as { request_id: string };
      const isStoring = async () => {
        const found = await db.pool.query(
          "select 1 from video_jobs where request_id = $1 and provider_status = 'storing'",
          [request_id],
        );
        return found.rowCount === 1;
      };
      while (!(await isStoring())) await Bun.sleep(10);
      zombie.signal("SIGSTOP");
      await gateway.database.advanceClock(BEYOND_A_LEASE_MS);
      const working = startWorking(gateway);
      expect((await endOfVideo({ origin: gateway.origin, of }, request_id)).status).toBe("complete");
      await working.stop();
      zombie.signal("SIGCONT");
      zombie.signal("SIGTERM");
      expect(await zombie.exited).toBe(0);
      expect((await db.pool.query("select 1 from assets where org_id = $1", [of.id])).rowCount).toBe(1);
    } finally {
      await zombie.remove();
    }
    await expectQuiet(db, of.id, CREDITS - COST);
    await expectNoOrphans(gateway);
  },
  TEST_LIMIT_MS,
);

test(
  "SIGTERM: another node completes the job, ordered from the provider once",
  async () => {
    const of = await gateway.found({ credits: CREDITS, isRenewed: false });
    const before = queue.orders.length;
    const leaving = await node();
    try {
      const told = await submitVideo({ origin: leaving.origin, of }, { model: "video-good" });
      const { request_id } = (await told.json()) as { request_id: string };
      leaving.signal("SIGTERM");
      expect(await leaving.exited).toBe(0);
      const working = startWorking(gateway);
      expect((await endOfVideo({ origin: gateway.origin, of }, request_id)).status).toBe("complete");
      await working.stop();
      expect(queue.orders.length - before).toBe(1);
    } finally {
      await leaving.remove();
    }
  },
  TEST_LIMIT_MS,
);
