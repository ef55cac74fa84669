import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { ProviderFailure } from "../contract/index.ts";
import { credits, newId } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";
import { createVideoStore, forgetVideoJobs } from "./video-store.ts";

const bench = await openVideoBench();
const { db, acme, other, video, callOf, view, finish, pass, takeUp, takeStep } = bench;
afterAll(() => bench.close());

const CREDITS = 100;
let orgId: string;
beforeEach(async () => {
  orgId = await bench.found(CREDITS);
  acme.begins = [];
  acme.refusal = null;
  acme.states = [videoState()];
  acme.begun.length = 0;
  other.begins = [];
  other.begun.length = 0;
});
afterEach(async () => {
  // Jobs that a test left behind must not be claimed by the next one.
  await pass(2 * 60 * 60_000);
  expect((await verifyLedger(db)).faults).toEqual([]);
  const holds = await db.pool.query("select 1 from holds");
  expect(holds.rowCount).toBe(0);
});

const left = () => bench.balance(orgId);
const unavailable = new ProviderFailure("unavailable", "down");

describe("a video job", () => {
  test("is held for on submission and charged once when it completes", async () => {
    const submitted = await video.submit(callOf(orgId));
    expect(submitted).toMatchObject({ replayed: false, model: "acme-video", estimate: credits(20) });
    expect(await left()).toBe("0+0 80+20");
    const { requestId } = submitted;
    expect(await view(orgId, requestId)).toMatchObject({
      status: "processing",
      providerStatus: "queued",
      charge: null,
      asset: null,
    });
    const ended = await finish(orgId, requestId);
    expect(ended).toMatchObject({
      status: "complete",
      providerStatus: "succeeded",
      charge: { credits: credits(20), subscription: credits(0), anytime: credits(80) },
    });
    expect(ended.asset).not.toBeNull();
    expect(await left()).toBe("0+0 80+0");
    const listed = await bench.library.list(orgId, { limit: 5, cursor: null });
    expect(listed?.assets).toMatchObject([{ requestId, creditsCharged: 20, prompt: "a boat at sea" }]);
  });

  test("that its provider cannot express is refused before anything is held", async () => {
    acme.refusal = new ProviderFailure("rejected", "no such word");
    const refused = video.submit(callOf(orgId));
    await expect(refused).rejects.toMatchObject({ code: "validation_error", message: "no such word" });
    expect(await left()).toBe("0+0 100+0");
    expect(acme.begun).toEqual([]);
  });

  test("shows the provider's states, and an unknown one as running", async () => {
    acme.states = [{ state: "queued" }, { state: "dreaming" as "running" }, videoState()];
    const { requestId } = await video.submit(callOf(orgId));
    const seen: string[] = [];
    for (let steps = 0; steps < 4; steps++) {
      await pass();
      seen.push((await view(orgId, requestId)).providerStatus);
    }
    expect(seen).toEqual(["starting", "queued", "running", "succeeded"]);
  });

  test("that failed costs nothing, and a later success changes nothing", async () => {
    acme.states = [{ state: "failed", reason: "content_filter", message: "no" }, videoState()];
    const { requestId } = await video.submit(callOf(orgId));
    const ended = await finish(orgId, requestId);
    expect(ended).toMatchObject({
      status: "failed",
      providerStatus: "failed:content_filter",
      charge: { credits: credits(0), anytime: credits(CREDITS) },
      asset: null,
    });
    await pass();
    expect(await view(orgId, requestId)).toEqual(ended);
    expect(await left()).toBe(`0+0 ${CREDITS}+0`);
  });

  test("keeps nothing of the caller's prompt once it has ended", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await finish(orgId, requestId);
    const rows = await db.pool.query("select row_to_json(j)::text as text from video_jobs j");
    expect(rows.rows.map((row) => row.text).join()).not.toContain("a boat");
  });

  test("is charged for the result, and never more than its estimate", async () => {
    const options = { ...callOf(orgId).options, resolution: "720p", durationMs: 5_000 };
    for (const [made, charged] of [
      [{ width: 1280, height: 720, durationMs: 5_000 }, 40],
      [{ width: 1280, height: 720, durationMs: 2_500 }, 20],
      [{ width: 854, height: 480, durationMs: 5_000 }, 25],
      [{ width: 3840, height: 2160, durationMs: 60_000 }, 40],
      [{ width: 720, height: 720, durationMs: 5_000 }, 40],
      [{ width: 1280, height: 548, durationMs: null }, 40],
    ] as const) {
      const own = await bench.found(CREDITS);
      acme.states = [videoState(made)];
      const { requestId, estimate } = await video.submit(callOf(own, { options }));
      expect(estimate).toBe(credits(40));
      expect((await finish(own, requestId)).charge?.credits).toBe(credits(charged));
    }
  });

  test("skips a provider that is no longer configured", async () => {
    const targets = [
      { provider: "gone", model: "m" },
      { provider: "other", model: "n" },
    ];
    const { requestId } = await video.submit(callOf(orgId, { model: { ...bench.model, targets } }));
    expect((await finish(orgId, requestId)).status).toBe("complete");
    expect(other.begun.map((begun) => begun.requestId)).toEqual([requestId]);
  });

  test("is polled less and less often, every five seconds at last, but as soon as its provider expects it", async () => {
    const running = { state: "running" } as const;
    acme.states = [
      ...Array.from({ length: 11 }, () => running),
      { ...running, readyInMs: 99.5 },
      videoState(),
    ];
    const { requestId } = await video.submit(callOf(orgId));
    const pauses: (number | null)[] = [];
    while ((await view(orgId, requestId)).status === "processing") {
      await bench.database.advanceClock(pauses.at(-1) ?? 0);
      for (const job of await bench.takeUp()) pauses.push((await bench.takeStep(job)).againInMs);
    }
    expect([pauses[0], ...pauses.slice(-3)]).toEqual([250, 5_000, 100, null]);
  });

  test("that is not finished within an hour fails and costs nothing", async () => {
    acme.states = [{ state: "running" }];
    const { requestId } = await video.submit(callOf(orgId));
    await pass();
    await pass(61 * 60_000);
    expect(await view(orgId, requestId)).toMatchObject({
      status: "failed",
      providerStatus: "failed:timeout",
    });
    expect(await left()).toBe(`0+0 ${CREDITS}+0`);
  });

  test("whose result is not a video fails and costs nothing", async () => {
    const html = new TextEncoder().encode("<html>sorry</html>");
    const { file } = videoState();
    acme.states = [{ state: "succeeded", file: { ...file, bytes: html } }];
    const { requestId } = await video.submit(callOf(orgId));
    expect((await finish(orgId, requestId)).providerStatus).toBe("failed:provider_error");
    expect(await left()).toBe(`0+0 ${CREDITS}+0`);
  });

  test("continues while its provider does not answer, and completes when it does", async () => {
    acme.states = [unavailable, new ProviderFailure("timeout", "slow"), unavailable, videoState()];
    const { requestId } = await video.submit(callOf(orgId));
    expect((await finish(orgId, requestId)).status).toBe("complete");
  });
});

describe("a video provider's refusal", () => {
  test("by rate limit sends the job to the next target", async () => {
    acme.begins = [new ProviderFailure("rate_limited", "later")];
    const { requestId } = await video.submit(callOf(orgId));
    other.states = [videoState()];
    expect((await finish(orgId, requestId)).status).toBe("complete");
    expect([acme.begun.length, other.begun.length]).toEqual([1, 1]);
  });

  test("that may have accepted the job sends it to nobody else", async () => {
    acme.begins = [unavailable];
    const { requestId } = await video.submit(callOf(orgId));
    expect((await finish(orgId, requestId)).providerStatus).toBe("failed:provider_error");
    expect([acme.begun.length, other.begun.length]).toEqual([1, 0]);
  });

  test.each([
    ["as rejected", "too rude", "rejected"],
    ["as a violation of guidelines", "Content violates usage guidelines.", "content_filter"],
  ])("that blames the request sends it to nobody else: %s", async (_name, message, reason) => {
    acme.begins = [new ProviderFailure("rejected", message)];
    const { requestId } = await video.submit(callOf(orgId));
    expect((await finish(orgId, requestId)).providerStatus).toBe(`failed:${reason}`);
    expect([acme.begun.length, other.begun.length]).toEqual([1, 0]);
    const row = await db.pool.query("select status, error_code from requests where request_id = $1", [
      requestId,
    ]);
    expect(row.rows).toEqual([{ status: "failed", error_code: "validation_error" }]);
  });

  test("by all targets' rate limits is tried seven times", async () => {
    acme.begins = [new ProviderFailure("rate_limited", "later")];
    other.begins = [new ProviderFailure("rate_limited", "later")];
    const { requestId } = await video.submit(callOf(orgId));
    expect((await finish(orgId, requestId)).providerStatus).toBe("failed:provider_error");
    expect(acme.begun.length).toBe(7);
  });
});

describe("a video job's lease", () => {
  test("keeps other workers away until it ends", async () => {
    await video.submit(callOf(orgId));
    expect((await takeUp()).length).toBe(1);
    expect((await takeUp()).length).toBe(0);
    await bench.database.advanceClock(31_000);
    expect((await takeUp()).length).toBe(1);
  });

  test("that was lost lets the late worker write, settle and publish nothing", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await pass();
    await bench.database.advanceClock(20_000);
    const [zombie] = await takeUp();
    if (!zombie) throw new Error("nothing to take up");
    await bench.database.advanceClock(31_000);
    const [heir] = await takeUp();
    if (!heir) throw new Error("nothing to take up");
    expect(await takeStep(zombie)).toEqual({ againInMs: null });
    expect((await view(orgId, requestId)).status).toBe("processing");
    await takeStep(heir);
    expect((await view(orgId, requestId)).status).toBe("complete");
    await takeStep(zombie);
    expect(await left()).toBe("0+0 80+0");
    expect((await bench.library.list(orgId, { limit: 5, cursor: null }))?.assets.length).toBe(1);
  });

  test("allows one of fifty concurrent ends", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    await pass();
    await bench.database.advanceClock(20_000);
    const [job] = await takeUp();
    if (!job) throw new Error("nothing to take up");
    const end = {
      status: "failed",
      reason: "unknown",
      errorCode: "internal_error",
      failureReason: "provider_error",
    } as const;
    const store = createVideoStore(db);
    const endings = await Promise.all(Array.from({ length: 50 }, () => store.end(job, end)));
    expect(endings.filter(({ outcome }) => outcome === "ended").length).toBe(1);
    expect((await view(orgId, requestId)).status).toBe("failed");
    expect(await left()).toBe(`0+0 ${CREDITS}+0`);
  });
});

describe("a video job interrupted before the provider's answer", () => {
  async function interrupt(): Promise<string> {
    const { requestId } = await video.submit(callOf(orgId));
    const [job] = await takeUp();
    if (!job) throw new Error("nothing to take up");
    await createVideoStore(db).saveIntent(job, "acme/m");
    return requestId;
  }

  test("fails, is not submitted twice and costs nothing if the provider does not know our id", async () => {
    const requestId = await interrupt();
    await pass(31_000);
    expect((await view(orgId, requestId)).providerStatus).toBe("failed:interrupted");
    expect(acme.begun.length).toBe(0);
    expect(await left()).toBe(`0+0 ${CREDITS}+0`);
  });
});

describe("a video submission with the same Idempotency-Key", () => {
  const idempotency = { key: "once", fingerprint: new Uint8Array(32) };

  test("gets the first answer, while the job runs and afterwards; nothing runs twice", async () => {
    const first = await video.submit(callOf(orgId, { idempotency }));
    const again = await video.submit(callOf(orgId, { idempotency }));
    expect(again).toEqual({ ...first, replayed: true, rate: expect.anything() });
    await finish(orgId, first.requestId);
    expect(await video.submit(callOf(orgId, { idempotency }))).toEqual({ ...again, rate: expect.anything() });
    expect(await left()).toBe("0+0 80+0");
  });

  test("is a new job after the first one failed, and refused if the request differs", async () => {
    acme.states = [{ state: "failed", reason: "unknown", message: "" }];
    const first = await video.submit(callOf(orgId, { idempotency }));
    const otherwise = { key: "once", fingerprint: new Uint8Array(32).fill(1) };
    await expect(video.submit(callOf(orgId, { idempotency: otherwise }))).rejects.toThrow(
      "different request",
    );
    await finish(orgId, first.requestId);
    const second = await video.submit(callOf(orgId, { idempotency }));
    expect([second.replayed, second.requestId !== first.requestId]).toEqual([false, true]);
  });
});

describe("a video submission", () => {
  test("without enough credits holds nothing and leaves no job", async () => {
    const poor = await bench.found(19);
    await expect(video.submit(callOf(poor))).rejects.toThrow("20 needed, 19 available");
    expect((await db.pool.query("select 1 from video_jobs where org_id = $1", [poor])).rowCount).toBe(0);
  });

  test("beyond the plan's number of jobs is refused until one has ended", async () => {
    const plan = { ...callOf(orgId).plan, videoJobs: 1 };
    const first = await video.submit(callOf(orgId, { plan }));
    await expect(video.submit(callOf(orgId, { plan }))).rejects.toThrow("Too many");
    await finish(orgId, first.requestId);
    await video.submit(callOf(orgId, { plan }));
  });

  test("repeated with the same request id finds its own job, also after it ended", async () => {
    const call = callOf(orgId);
    await video.submit(call);
    await video.submit(call);
    expect(await left()).toBe("0+0 80+20");
    await finish(orgId, call.requestId);
    await video.submit(call);
    expect(await left()).toBe("0+0 80+0");
  });

  test("is not visible to another organization", async () => {
    const { requestId } = await video.submit(callOf(orgId));
    expect(await video.find(await bench.found(0), requestId)).toBeNull();
    expect(await video.find(orgId, newId())).toBeNull();
  });
});

test("video job rows are deleted 90 days after their end; charge and asset stay", async () => {
  const { requestId } = await video.submit(callOf(orgId));
  await finish(orgId, requestId);
  expect(await forgetVideoJobs(db, { keepDays: 90, limit: 500 })).toBe(0);
  await bench.database.advanceClock(91 * 86_400_000);
  expect(await forgetVideoJobs(db, { keepDays: 90, limit: 500 })).toBeGreaterThan(0);
  expect(await video.find(orgId, requestId)).toBeNull();
  expect((await bench.library.list(orgId, { limit: 5, cursor: null }))?.assets.length).toBe(1);
  const { rows } = await db.pool.query(
    "select charged_subscription + charged_anytime as charged from requests where org_id = $1 and request_id = $2",
    [orgId, requestId],
  );
  expect([rows, await left()]).toEqual([[{ charged: "20" }], "0+0 80+0"]);
});
