import { afterAll, beforeAll, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import type { TestOrganization } from "../harness.ts";
import { startVideoQueue, type VideoQueue, videoSettings } from "../upstream/video-queue.ts";
import type { Seen } from "./chat-client.ts";
import { expectQuiet } from "./ending.ts";
import { describeFailPoints } from "./fail-point-table.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { expectNoOrphans } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { jobOf, pollVideo, type SeenVideo, submitVideo } from "./video-client.ts";

const CREDITS = 100;
const COST = 20;
const BEYOND_A_JOBS_LEASE_MS = 31_000;
/** Polls before the clock is moved for a job. */
const PATIENT_LOOKS = 60;
const MOST_LOOKS = 1_000;

/** Every fail point that a job passes, in order. How a step that hangs is ended is tested in `gateway/src/jobs`. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "after_reply",
  "before_upstream_send",
  "after_upstream_headers",
  "after_upstream_send",
  "poll_after_fetch",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
] as const satisfies readonly FailPoint[];

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
/** Covered on every push; the other points are covered with other calls, and by throwing in `gateway/src/jobs`. */
const OF_VIDEOS_ALONE = ["poll_after_fetch"] as const satisfies readonly FailPoint[];

let queue: VideoQueue;
let settings: SettingsFile;
let faulty: FaultyGateway;
let own: TestOrganization;
beforeAll(async () => {
  queue = startVideoQueue();
  settings = writeSettings(videoSettings(queue));
  settings.environment["BURSAR_PRIVATE_MEDIA_HOSTS"] = queue.host;
  faulty = await startFaultyGateway(settings.environment);
});
afterAll(async () => {
  await faulty.close();
  await queue.close();
  settings.remove();
});

function asking() {
  return { origin: faulty.gateway.origin, of: own };
}

/** What the submitter sees of the whole job. */
async function makeVideo(): Promise<Seen> {
  const response = await submitVideo(asking(), { model: "video-good" });
  const body = (await response.json()) as Record<string, unknown>;
  const requestId = String(body["request_id"]);
  const seen = { requestId, status: response.status, text: "" };
  if (!response.ok) return { ...seen, ended: "error", body };
  const video = await endOf(requestId);
  // A job may have ended before its last step has passed its last fail point.
  while ((faulty.gateway.services.videoWorker?.running ?? 0) > 0) await Bun.sleep(5);
  return { ...seen, ended: video.status === "complete" ? "done" : "error", body: { ...video } };
}

/** A job whose step was lost waits for its lease to end. */
async function endOf(requestId: string): Promise<SeenVideo> {
  const { services, database } = faulty.gateway;
  for (let looks = 1; looks < MOST_LOOKS; looks++) {
    const seen = await pollVideo(asking(), requestId).catch(() => null);
    if (seen !== null && seen.status !== "processing") return seen;
    if (looks % PATIENT_LOOKS === 0) {
      await database.advanceClock(BEYOND_A_JOBS_LEASE_MS);
      // That time also passed for the gateway's own lease.
      await services.lease.renew();
    }
    await Bun.sleep(20);
  }
  throw new Error("the job does not end");
}

describeFailPoints({
  form: "a video",
  points: isLong ? POINTS : OF_VIDEOS_ALONE,
  bounded: [],
  async found() {
    own = await faulty.gateway.found({ credits: CREDITS, isRenewed: false });
  },
  call: makeVideo,
  link: () => faulty.link,
  /** A complete job is charged once; whatever else the submitter was told, the job ends and the credits agree. */
  async expectHonest(told) {
    const requestId = await jobOf(faulty.gateway, own.id);
    const end = requestId === null ? null : await endOf(requestId);
    const charged = end?.status === "complete" ? COST : 0;
    await expectQuiet(faulty.database.db, own.id, CREDITS - charged);
    if (told.ended === "done") expect(Number(told.body["credits_charged"])).toBe(charged);
    const { message = "" } = (told.body["error"] ?? {}) as { message?: string };
    if (message.includes("Nothing was charged")) expect(charged).toBe(0);
  },
});

test("files left over at any fail point are swept", async () => {
  await expectNoOrphans(faulty.gateway);
});
