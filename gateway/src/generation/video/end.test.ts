import { afterAll, expect, test } from "bun:test";
import { wholeVideo } from "../../../../test/scripted-video.ts";
import { openVideoBench } from "../../../../test/video-bench.ts";
import { createVideoStore } from "../../jobs/index.ts";
import { credits, present } from "../../kit/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createCallMetrics } from "../paid-call/call-metrics.ts";
import { endVideo } from "./end.ts";

const bench = await openVideoBench();
const { db, library, metrics } = bench;
afterAll(() => bench.close());

test("credits that a job cannot pay are logged as written off, with organization, model and target", async () => {
  const orgId = await bench.found(100);
  const { requestId } = await bench.video.submit(bench.callOf(orgId));
  const job = present((await bench.takeUp())[0], "the job that is due");
  // No job costs more than its estimate, which is held, so only corrupt data leaves something unpaid. Of these 150, it
  // pays 40, twice what was held.
  await db.pool.query("update video_jobs set estimate = 150 where request_id = $1", [requestId]);
  const told: unknown[] = [];
  const log = {
    ...silentLog,
    error: (event: string, fields: object = {}) => told.push({ event, ...fields }),
  };
  const draft = await library.store(orgId, {
    type: "video",
    bytes: wholeVideo(),
    mediaType: "video/mp4",
    width: 854,
    height: 480,
    durationMs: 4_000,
    prompt: "a boat at sea",
  });
  await endVideo(
    { jobs: createVideoStore(db), library, metrics: createCallMetrics(metrics), log },
    { ...job, target: "acme/v1" },
    { status: "complete", cost: credits(150), measured: "{}", draft },
  );
  expect(told).toEqual([
    {
      event: "credits_written_off",
      request_id: requestId,
      org_id: orgId,
      model: "acme-video",
      target: "acme/v1",
      credits: 110,
      outcome: "ended",
    },
  ]);
});
