import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { tinyVideo, videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { openVideo } from "../app/video-services.ts";
import { AppError, armFailpoint, credits, type FailPoint, FailpointError } from "../kit/index.ts";
import { verifyLedger } from "../ledger/index.ts";

const bench = await openVideoBench({ knowsOurId: true });
const { db, acme, video, callOf, finish } = bench;
afterAll(() => bench.close());

const CREDITS = 100;
let orgId: string;
const disarm: (() => void)[] = [];
beforeEach(async () => {
  orgId = await bench.found(CREDITS);
  acme.begun.length = 0;
  acme.states = [{ state: "running" }, videoState()];
});
afterEach(() => {
  for (const undo of disarm.splice(0)) undo();
});

function throwOnce(point: FailPoint): () => number {
  let passed = 0;
  disarm.push(
    armFailpoint(point, () => {
      if (++passed === 1) throw new FailpointError(point);
    }),
  );
  return () => passed;
}

const SUBMISSION: readonly FailPoint[] = ["before_hold", "after_hold_sql", "after_hold_commit"];
const STEPS: readonly FailPoint[] = [
  "before_upstream_send",
  "after_upstream_send",
  "poll_after_fetch",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
];

describe("a video job and a fault that happens once", () => {
  for (const point of [...SUBMISSION, ...STEPS]) {
    test(`at ${point}: the job completes, is charged once, and leaves no file behind`, async () => {
      const passed = throwOnce(point);
      const references = { referenceImage: { bytes: PICTURE, mediaType: "image/png" } };
      const { requestId } = await video.submit(callOf(orgId, { references }));
      const ended = await finish(orgId, requestId);
      expect([passed() > 0, ended.status]).toEqual([true, "complete"]);
      expect(new Set(acme.begun.map((one) => one.requestId))).toEqual(new Set([requestId]));
      expect(await bench.balance(orgId)).toBe("0+0 80+0");
      expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
      await bench.sweptFiles();
      expect(bench.files().filter((name) => !name.endsWith(".mp4"))).toEqual([]);
      expect(bench.files().length).toBe(await assetCount());
    });
  }
});

async function assetCount(): Promise<number> {
  const counted = await db.pool.query<{ count: number }>("select count(*)::integer as count from assets");
  return counted.rows[0]?.count ?? 0;
}

/** The header of an image of 8 by 8 pixels; it is not decoded here. */
const PICTURE = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAC0lEQVR42mNgoBcAAABIAAFZ8m4bAAAAAElFTkSuQmCC"),
  (char) => char.charCodeAt(0),
);

test("reference media reach the provider unchanged and are deleted when the job has ended", async () => {
  const references = {
    referenceImage: { bytes: PICTURE, mediaType: "image/png" },
    referenceVideo: { bytes: tinyVideo(), mediaType: "video/mp4" },
  };
  const { requestId } = await video.submit(callOf(orgId, { references }));
  expect(bench.files().length).toBe((await assetCount()) + 2);
  await finish(orgId, requestId);
  const { request, picture } = acme.begun[0] ?? {};
  expect(Buffer.from(picture ?? []).equals(PICTURE)).toBe(true);
  expect(request?.referenceVideo?.mediaType).toBe("video/mp4");
  expect(request?.referenceAudio).toBeNull();
  expect(bench.files().length).toBe(await assetCount());
});

const references = { referenceImage: { bytes: PICTURE, mediaType: "image/png" } };

test("reference media of a refused or repeated submission are never written", async () => {
  const poor = await bench.found(1);
  const idempotency = { key: "once", fingerprint: new Uint8Array(32) };
  const { requestId } = await video.submit(callOf(orgId, { idempotency, references }));
  disarm.push(bench.breakStore());
  await expect(video.submit(callOf(poor, { references }))).rejects.toThrow("Not enough credits");
  const plan = { ...callOf(orgId).plan, videoJobs: 1 };
  await expect(video.submit(callOf(orgId, { references, plan }))).rejects.toThrow("Too many video jobs");
  const repeat = await video.submit(callOf(orgId, { idempotency, references }));
  expect([repeat.replayed, repeat.requestId]).toEqual([true, requestId]);
  for (const undo of disarm.splice(0)) undo();
  await finish(orgId, requestId);
});

test("reference media are deleted if the submission is refused after they were written", async () => {
  const before = bench.files().length;
  const own = await bench.found(30);
  const quicker = callOf(own);
  const library: typeof bench.library = {
    ...bench.library,
    async keepPrivate(...file) {
      await video.submit(quicker);
      return bench.library.keepPrivate(...file);
    },
  };
  const late = openVideo({ ...bench.deps, library, runsVideoJobs: false }).video;
  await expect(late.submit(callOf(own, { references }))).rejects.toThrow("Not enough credits");
  expect(bench.files().length).toBe(before);
  await finish(own, quicker.requestId);
});

test("a submission is refused and its media deleted if the key is revoked while they are written", async () => {
  const before = bench.files();
  const revoked = new AppError("invalid_key", "The API key was revoked.");
  let written = 0;
  const askAgain = () => {
    written = bench.files().length - before.length;
    return Promise.reject(revoked);
  };
  await expect(video.submit(callOf(orgId, { references, askAgain }))).rejects.toBe(revoked);
  expect([written, bench.files(), await bench.balance(orgId)]).toEqual([1, before, "0+0 100+0"]);
  // Without a reference there is nothing to wait for.
  await finish(orgId, (await video.submit(callOf(orgId, { askAgain }))).requestId);
});

test("a job whose process died while it began is begun again with the same id", async () => {
  disarm.push(
    armFailpoint("after_upstream_send", () => {
      throw new FailpointError("dead");
    }),
  );
  const { requestId } = await video.submit(callOf(orgId));
  const [job] = await bench.takeUp();
  if (!job) throw new Error("nothing to take up");
  await bench.takeStep(job);
  for (const undo of disarm.splice(0)) undo();
  expect((await finish(orgId, requestId)).status).toBe("complete");
  expect(acme.begun.map((one) => one.requestId)).toEqual([requestId, requestId]);
});

test("a submission without an answer reports an unknown outcome, and its job completes", async () => {
  disarm.push(
    armFailpoint("after_hold_sql", () => {
      throw new FailpointError("away");
    }),
  );
  const call = callOf(orgId);
  await expect(video.submit(call)).rejects.toThrow(`outcome unknown, see request_id ${call.requestId}`);
  for (const undo of disarm.splice(0)) undo();
  expect((await finish(orgId, call.requestId)).status).toBe("complete");
});

test("a submission with a lost answer reports an unknown outcome although its retries hit a lock timeout", async () => {
  let tries = 0;
  disarm.push(
    armFailpoint("before_hold", () => {
      if (++tries > 1) throw Object.assign(new Error("lock timeout"), { code: "55P03" });
    }),
    armFailpoint("after_hold_sql", () => {
      throw new FailpointError("away");
    }),
  );
  const call = callOf(orgId);
  await expect(video.submit(call)).rejects.toThrow(`outcome unknown, see request_id ${call.requestId}`);
  for (const undo of disarm.splice(0)) undo();
  expect(tries).toBeGreaterThan(1);
  expect((await finish(orgId, call.requestId)).status).toBe("complete");
});

test.each(["disk_full", "read_only_sql_transaction", "too_many_connections"])(
  "a submission that the database refuses by %s was not accepted and can be sent again",
  async (condition) => {
    const { pool } = db;
    await pool.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '${condition}'; end $$`);
    await pool.query(
      "create trigger refusing before insert on video_jobs for each row execute function refuse()",
    );
    const call = callOf(orgId);
    const refused = video.submit(call);
    await expect(refused).rejects.toMatchObject({
      code: "internal_error",
      status: 503,
      message: "The call could not be recorded. Nothing was charged; try again.",
    });
    await pool.query("drop trigger refusing on video_jobs");
    await pool.query("drop function refuse");
    expect(await bench.balance(orgId)).toBe("0+0 100+0");
    await video.submit(call);
    expect((await finish(orgId, call.requestId)).status).toBe("complete");
  },
);

test("a video without the requested sound costs less, also if it is settled after a fault", async () => {
  acme.states = [videoState({ hasSound: false })];
  throwOnce("before_settle_sql");
  const options = { ...callOf(orgId).options, sound: true };
  const { requestId, estimate } = await video.submit(callOf(orgId, { options }));
  expect(estimate).toBe(credits(25));
  expect((await finish(orgId, requestId)).charge?.credits).toBe(credits(20));
});

test("a video that cannot be stored for a while is stored later and charged once", async () => {
  const { requestId } = await video.submit(callOf(orgId));
  await bench.pass();
  await bench.pass();
  const repair = bench.breakStore();
  await bench.pass();
  expect(await bench.view(orgId, requestId)).toMatchObject({
    status: "processing",
    providerStatus: "storing",
  });
  repair();
  expect((await finish(orgId, requestId)).status).toBe("complete");
  expect(await bench.balance(orgId)).toBe("0+0 80+0");
});
