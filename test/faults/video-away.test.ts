import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestGateway, type TestGateway } from "../harness.ts";
import { refusedBaseUrl } from "../upstream/misbehaving-upstream.ts";
import { startVideoQueue, type VideoQueue } from "../upstream/video-queue.ts";
import { expectEnding } from "./ending.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";
import { endOfVideo, submitVideo } from "./video-client.ts";

const CREDITS = 100;
const COST = 20;

let queue: VideoQueue;
let settings: SettingsFile;
let gateway: TestGateway;
beforeAll(async () => {
  queue = startVideoQueue();
  settings = writeSettings({
    providers: {
      away: { kind: "fal", base_url: await refusedBaseUrl(), api_key: "video-key-1" },
      videos: { kind: "fal", base_url: queue.baseUrl, api_key: "video-key-1" },
    },
    models: [
      {
        ...{ id: "video", name: "Video", type: "video", credits_per_request: 1 },
        targets: ["away", "videos"].map((provider) => ({ provider, model: "acme/good" })),
        price: { per_second: { "480p": 5 } },
        limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
      },
    ],
  });
  gateway = await startTestGateway(settings.environment);
});
afterAll(async () => {
  await gateway.close();
  await queue.close();
  settings.remove();
});

test("a video whose first provider refuses connections is made by the next one, once", async () => {
  const of = await gateway.found({ credits: CREDITS });
  const told = await submitVideo({ origin: gateway.origin, of }, { model: "video" });
  const { request_id: requestId } = (await told.json()) as { request_id: string };
  const seen = await endOfVideo({ origin: gateway.origin, of }, requestId);
  expect([seen.provider_status, seen.credits_charged]).toEqual(["succeeded", COST]);
  expect(queue.orders.length).toBe(1);
  await expectEnding(
    gateway.database.db,
    { orgId: of.id, requestId, creditsBefore: CREDITS },
    { status: "succeeded", charged: COST },
  );
});
