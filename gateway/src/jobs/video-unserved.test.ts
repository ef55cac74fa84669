import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openVideoBench, type VideoBench } from "../../../test/video-bench.ts";
import { createAdvanceVideo } from "../generation/index.ts";
import { createRegistry } from "../providers/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createVideoStore } from "./video-store.ts";

const CREDITS = 100;
/** More than the failures after which a job is given up. */
const MANY = 20;

let bench: VideoBench;
beforeAll(async () => {
  bench = await openVideoBench();
});
afterAll(() => bench.close());

/** A node whose settings name no video provider claims whatever is due. */
function openPoorNode() {
  const told: { event: string; fields: Record<string, unknown> | undefined }[] = [];
  const log: typeof silentLog = {
    ...silentLog,
    warn: (event, fields) => void told.push({ event, fields }),
  };
  const deps = { ...bench.deps, registry: createRegistry([]), log };
  const advance = createAdvanceVideo({ ...deps, jobs: createVideoStore(bench.db) });
  return {
    told,
    async pass(): Promise<void> {
      await bench.database.advanceClock(29_000);
      for (const job of await bench.takeUp()) await advance(job, new AbortController().signal);
    },
  };
}

describe("a node without a video job's provider", () => {
  test("leaves the job to other nodes, however often it claims it, and logs the missing providers", async () => {
    const orgId = await bench.found(CREDITS);
    const { requestId } = await bench.video.submit(bench.callOf(orgId));
    const poor = openPoorNode();
    for (let i = 0; i < MANY; i++) await poor.pass();
    expect((await bench.view(orgId, requestId)).status).toBe("processing");
    expect(poor.told).toHaveLength(MANY);
    expect(poor.told[0]).toEqual({
      event: "video_provider_missing",
      fields: {
        request_id: requestId,
        providers: "acme, other",
        error: "This node has no provider for this video job: acme, other are not configured here.",
      },
    });
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
  });

  test("leaves a job that was begun to other nodes, too", async () => {
    const orgId = await bench.found(CREDITS);
    const { requestId } = await bench.video.submit(bench.callOf(orgId));
    await bench.pass();
    const poor = openPoorNode();
    for (let i = 0; i < MANY; i++) await poor.pass();
    expect(poor.told[0]).toMatchObject({ event: "video_provider_missing", fields: { providers: "acme" } });
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
  });

  test("still fails the job at its deadline, which costs nothing", async () => {
    const orgId = await bench.found(CREDITS);
    const { requestId } = await bench.video.submit(bench.callOf(orgId));
    const poor = openPoorNode();
    await poor.pass();
    await bench.database.advanceClock(61 * 60_000);
    await poor.pass();
    expect((await bench.view(orgId, requestId)).providerStatus).toBe("failed:timeout");
    expect(await bench.balance(orgId)).toBe(`0+0 ${CREDITS}+0`);
  });
});
