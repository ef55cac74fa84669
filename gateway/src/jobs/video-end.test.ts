import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { behindLock, HAVE_ACCOUNT } from "../../../test/behind-lock.ts";
import { KEY_ID } from "../../../test/paid-items.ts";
import { tinyVideo, videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { createExpectedTime } from "../db/expected-time.ts";
import type { VideoCall, VideoJob } from "../generation/index.ts";
import { armFailpoint, credits, DAY_MS, FailpointError, HOUR_MS, newId, present } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { claimVideoJobs, createVideoStore, recallVideoJobs } from "./video-store.ts";

const bench = await openVideoBench();
const { db, acme, video, callOf, view, finish, pass, takeUp, takeStep } = bench;
const store = createVideoStore(db);
afterAll(() => bench.close());

const FAILED = {
  status: "failed",
  reason: "unknown",
  errorCode: "internal_error",
  failureReason: "provider_error",
} as const;
const NOTHING = { charged: credits(0), writtenOff: credits(0) };

let orgId: string;
beforeEach(async () => {
  orgId = await bench.found(100);
  acme.states = [videoState()];
});
afterEach(async () => {
  await pass(2 * HOUR_MS);
  expect((await verifyLedger(db)).faults).toEqual([]);
});

async function taken(call: VideoCall): Promise<VideoJob> {
  await video.submit(call);
  return present(
    (await takeUp()).find(({ requestId }) => requestId === call.requestId),
    "the job that is due",
  );
}

/** Advances only this job; all others stay where they are. */
async function finishAlone(requestId: string): Promise<void> {
  while ((await view(orgId, requestId)).status === "processing") {
    await bench.database.advanceClock(31_000);
    for (const job of await takeUp()) if (job.requestId === requestId) await takeStep(job);
  }
}

async function recordOf(requestId: string) {
  const { rows } = await db.pool.query(
    `select r.input_tokens, r.output_tokens, r.tokens_saved, r.latency_ms, r.reason,
        extract(epoch from j.ended_at - j.created_at) * 1000 as took_ms
      from requests r join video_jobs j using (org_id, request_id) where r.request_id = $1`,
    [requestId],
  );
  return present(rows[0], "the record");
}

test("in a jump of the clock no job is taken up or overdue, and one that was begun goes on after it", async () => {
  const { jumpClock } = bench.database;
  const { requestId } = await video.submit(callOf(orgId));
  const job = await taken(callOf(orgId));
  await jumpClock(40 * DAY_MS);
  await store.giveBack(job, { inMs: 1_000, looks: 0, failures: 0, progress: null });
  expect(await takeUp()).toEqual([]);
  await jumpClock(-40 * DAY_MS);
  for (const id of [requestId, job.requestId]) {
    await finishAlone(id);
    expect((await view(orgId, id)).status).toBe("complete");
  }
});

test("a job that was given back in a jump that was believed is recalled after it, with a deadline", async () => {
  const { jumpClock } = bench.database;
  const job = await taken(callOf(orgId));
  const aheadMs = 40 * DAY_MS;
  await jumpClock(aheadMs);
  const time = createExpectedTime({
    nowMs: () => Date.now() + aheadMs,
    elapsedMs: () => performance.now(),
  });
  const { requestId } = await video.submit(callOf(orgId));
  await createVideoStore({ ...db, time }).giveBack(job, {
    inMs: 1_000,
    looks: 0,
    failures: 0,
    progress: null,
  });
  await jumpClock(-aheadMs);
  expect(await takeUp()).toEqual([]);
  await recallVideoJobs(db);
  const { rows } = await db.pool.query(
    "select from video_jobs where status = 'processing' and deadline_at > bursar_now() + interval '1 hour'",
  );
  expect(rows).toEqual([]);
  for (const id of [requestId, job.requestId]) await finishAlone(id);
});

test("after a time in which nothing ran jobs are taken up at once, and none fails for its deadline yet", async () => {
  const { requestId } = await video.submit(callOf(orgId));
  const nowMs = Date.now();
  const time = createExpectedTime({ nowMs: () => Date.now(), elapsedMs: () => performance.now() });
  const seen = { nowMs, acceptedMs: null, acceptedAheadMs: null, isUnused: true };
  time.observe({ ...seen, believedMs: nowMs - 3 * DAY_MS });
  await bench.database.advanceClock(2 * HOUR_MS);
  const jobs = await claimVideoJobs({ ...db, time }, { limit: 8, leaseMs: 1_000 });
  expect(jobs).toMatchObject([{ requestId, isOverdue: false }]);
});

describe("the record of a video job", () => {
  test("has no tokens, and the time that the job took", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await finish(orgId, requestId);
    const { took_ms, ...record } = await recordOf(requestId);
    expect(record).toEqual({
      input_tokens: "0",
      output_tokens: "0",
      tokens_saved: "0",
      reason: null,
      latency_ms: Math.round(Number(took_ms)),
    });
    expect(record.latency_ms).toBeGreaterThan(29_000);
  });

  test("includes the time that the end waited for the account", async () => {
    const job = await taken(callOf(orgId));
    await behindLock({
      db,
      statement: HAVE_ACCOUNT,
      values: [orgId],
      work: () => store.end(job, FAILED),
      meanwhile: () => bench.database.advanceClock(60_000),
    });
    expect(await recordOf(job.requestId)).toMatchObject({ reason: "provider_error" });
    expect((await recordOf(job.requestId)).latency_ms).toBeGreaterThan(60_000);
  });

  test("is written a month late with a capped time; the job fails and the hold is released", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await pass(30 * DAY_MS);
    expect((await view(orgId, requestId)).providerStatus).toBe("failed:timeout");
    expect((await recordOf(requestId)).latency_ms).toBe(2 ** 31 - 1);
    expect(await bench.balance(orgId)).toBe("0+0 100+0");
  });
});

describe("the measurements of a video job", () => {
  const measuredOf = async (requestId: string) =>
    (await db.pool.query("select measured from requests where request_id = $1", [requestId])).rows[0]
      ?.measured;

  test("are stored with its record and describe the result", async () => {
    const options = { ...callOf(orgId).options, durationMs: 6_000, resolution: "720p", sound: true };
    acme.states = [videoState({ width: 1280, height: 720, durationMs: 5_000, hasSound: true })];
    const { requestId } = await video.submit(callOf(orgId, { options }));
    await finish(orgId, requestId);
    expect(await measuredOf(requestId)).toEqual({ duration_ms: 5_000, resolution: "720p", sound: true });
    expect((await view(orgId, requestId)).charge?.credits).toBe(credits(50));
  });

  test("include the estimate if it limited the charge", async () => {
    acme.states = [videoState({ durationMs: 9_000 })];
    const { requestId } = await video.submit(callOf(orgId));
    await finish(orgId, requestId);
    expect(await measuredOf(requestId)).toEqual({ duration_ms: 9_000, resolution: "480p", at_most: 20 });
    expect((await view(orgId, requestId)).charge?.credits).toBe(credits(20));
  });

  test("survive a process that died before it settled", async () => {
    acme.states = [videoState({ durationMs: 3_000 })];
    const dies = armFailpoint("before_settle_sql", () => {
      throw new FailpointError("dead");
    });
    const { requestId } = await video.submit(callOf(orgId));
    await pass();
    await pass();
    dies();
    acme.states = [new Error("nobody asks again for what is kept")];
    expect((await finish(orgId, requestId)).status).toBe("complete");
    expect(await measuredOf(requestId)).toEqual({ duration_ms: 3_000, resolution: "480p" });
  });

  test("are null if the job failed", async () => {
    const job = await taken(callOf(orgId));
    await store.end(job, FAILED);
    expect(await measuredOf(job.requestId)).toBeNull();
  });

  test("are null if a node of the previous version ends the job", async () => {
    const job = await taken(callOf(orgId));
    const { rows } = await db.pool.query(
      "select outcome from ledger_end_job($1, $2, $3, 'failed', 'failed:unknown', 'internal_error', 0, null, '{}')",
      [orgId, job.requestId, job.lease],
    );
    expect([rows, await measuredOf(job.requestId)]).toEqual([[{ outcome: "ended" }], null]);
  });
});

describe("ending a video job", () => {
  test("a second time returns settled_before and no charge", async () => {
    const job = await taken(callOf(orgId));
    expect(await store.end(job, FAILED)).toEqual({ outcome: "ended", ...NOTHING });
    expect(await store.end(job, FAILED)).toEqual({ outcome: "settled_before", ...NOTHING });
  });

  test("counts the charge to both pools together", async () => {
    const day = { pool: "subscription", expiresAt: new Date(Date.now() + 999 * DAY_MS) } as const;
    await bench.ledger.grant(bench.grantOf(orgId, 15, day));
    const { requestId } = await video.submit(callOf(orgId));
    const charged = () =>
      Number(/^bursar_credits_charged_total\S* (\d+)$/m.exec(bench.metrics.render())?.[1] ?? 0);
    const before = charged();
    await finish(orgId, requestId);
    expect([charged() - before, await bench.balance(orgId)]).toEqual([20, "0+0 95+0"]);
  });

  test("whose row is gone returns settled_before", async () => {
    const job = await taken(callOf(orgId));
    await store.end(job, FAILED);
    await db.pool.query("delete from video_jobs where request_id = $1", [job.requestId]);
    expect(await store.end(job, FAILED)).toEqual({ outcome: "settled_before", ...NOTHING });
  });

  test("does not wait for the account of another organization", async () => {
    const neighbour = await bench.found(0);
    const job = await taken(callOf(orgId));
    const holding = await db.pool.connect();
    await holding.query("begin");
    await holding.query(HAVE_ACCOUNT, [neighbour]);
    const ending = await store.end(job, FAILED).finally(() => holding.query("commit"));
    holding.release();
    expect(ending.outcome).toBe("ended");
  });

  test("that another node takes over returns lease_lost and ends nothing", async () => {
    const job = await taken(callOf(orgId));
    const ending = await behindLock({
      db,
      statement: "update video_jobs set lease = gen_random_uuid() where request_id = $1",
      values: [job.requestId],
      work: () => store.end(job, FAILED),
    });
    expect(ending).toEqual({ outcome: "lease_lost", ...NOTHING });
    expect((await view(orgId, job.requestId)).status).toBe("processing");
  });
});

describe("beside a video job that ends", () => {
  const references = { referenceVideo: { bytes: tinyVideo(), mediaType: "video/mp4" } };

  test("other jobs continue with their references, and its own reference is swept", async () => {
    const other = await bench.found(100);
    const job = await taken(callOf(orgId, { references }));
    const neighbours = [callOf(orgId, { references }), callOf(other, { references })];
    for (const call of neighbours) await video.submit(call);
    const before = bench.files().length;
    await store.end(job, FAILED);
    for (const call of neighbours) {
      const { principal, requestId } = call;
      expect((await view(principal.organization.id, requestId)).status).toBe("processing");
    }
    await bench.library.sweep();
    expect(before - bench.files().length).toBe(1);
    await pass();
    for (const call of neighbours)
      expect((await finish(call.principal.organization.id, call.requestId)).status).toBe("complete");
  });

  test("repeats of its submission and of others get their first answers, also those of another API key", async () => {
    const once = (key: string, seconds: number, { owner = orgId, keyId = KEY_ID } = {}) =>
      callOf(owner, {
        idempotency: { key, fingerprint: new Uint8Array(32) },
        principal: { ...callOf(owner).principal, keyId },
        options: { ...callOf(owner).options, durationMs: seconds * 1_000 },
      });
    const owner = await bench.found(100);
    const calls = [
      once("b", 1),
      once("m", 2, { owner }),
      once("m", 3, { keyId: newId() }),
      once("m", 4),
      once("m", 5, { keyId: "00000000-0000-7000-8000-000000000000" }),
      once("x", 3),
      once("b", 5, { owner }),
    ];
    const first: unknown[] = [];
    for (const call of calls)
      first.push({ ...(await video.submit(call)), replayed: true, rate: expect.anything() });
    const its = present(calls[3], "the one in the middle");
    await finishAlone(its.requestId);
    const again: unknown[] = [];
    for (const call of calls) again.push(await video.submit({ ...call, requestId: crypto.randomUUID() }));
    expect(again).toEqual(first);
  });
});
