import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { ProviderFailure } from "../contract/index.ts";
import { createAdvanceVideo, type VideoJob, type VideoJobs } from "../generation/index.ts";
import { present } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { createBreaker } from "../outbound/index.ts";
import { createVideoStore } from "./video-store.ts";

/** Its provider does not know our id: whatever is not stored of a job is lost. */
const bench = await openVideoBench();
const { db, acme, other, video, callOf } = bench;
afterAll(() => bench.close());

/** With their pauses, longer than a database takes to restart. */
const FAILURES = 8;
const away = Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });

let orgId: string;
beforeEach(async () => {
  orgId = await bench.found(100);
  acme.begins = [];
  acme.states = [videoState()];
  acme.begun.length = 0;
  acme.looks = 0;
  other.begun.length = 0;
});
afterEach(async () => {
  expect((await verifyLedger(db)).faults).toEqual([]);
});

type Write = (job: VideoJob, ...rest: never[]) => Promise<unknown>;

/** Takes the job's next step while this write fails; with `done`, the database executes it and its answer is lost. */
async function stepWithout(name: keyof VideoJobs, done = false): Promise<{ againInMs: number | null }> {
  const store = createVideoStore(db);
  const write = store[name] as Write;
  let failures = 0;
  const failing: Write = async (...given) => {
    if (failures++ >= FAILURES) return write(...given);
    if (done) await write(...given);
    throw away;
  };
  const breaker = createBreaker({ clock: { nowMs: () => 0, elapsedMs: () => 0 } });
  const pause = () => Promise.resolve();
  const advance = createAdvanceVideo({ ...bench.deps, breaker, pause, jobs: { ...store, [name]: failing } });
  const [job] = await bench.takeUp();
  const result = await advance(present(job, "a job to take up"), new AbortController().signal);
  expect(failures).toBeGreaterThan(0);
  return result;
}

describe("a database outage of a few seconds", () => {
  test("does not lose a job that a provider has accepted", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await stepWithout("saveOperation");
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
    expect(acme.begun.length).toBe(1);
  });

  test("does not lose a job that was not yet sent", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await stepWithout("saveIntent", true);
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
  });

  test("does not keep the next provider from being tried", async () => {
    acme.begins = [new ProviderFailure("rate_limited", "later")];
    const { requestId } = await video.submit(callOf(orgId));
    await stepWithout("dropIntent");
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
    expect([acme.begun.length, other.begun.length]).toEqual([1, 1]);
  });

  test.each([false, true])("does not hide why a provider refused (answer lost: %p)", async (done) => {
    acme.begins = [new ProviderFailure("rejected", "too rude")];
    const { requestId } = await video.submit(callOf(orgId));
    await stepWithout("end", done);
    expect((await bench.view(orgId, requestId)).providerStatus).toBe("failed:rejected");
  });

  test.each(["saveStoring", "saveDraft", "end"] as const)(
    "does not fetch a video twice: %s",
    async (write) => {
      const { requestId } = await video.submit(callOf(orgId));
      await bench.pass();
      await bench.database.advanceClock(1_000);
      await stepWithout(write);
      expect([(await bench.view(orgId, requestId)).status, acme.looks]).toEqual(["complete", 1]);
      expect(await bench.balance(orgId)).toBe("0+0 80+0");
    },
  );

  test("does not leave a job waiting until its lease ends", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    expect(await stepWithout("giveBack")).toEqual({ againInMs: 250 });
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
  });
});
