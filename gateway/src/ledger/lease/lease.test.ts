import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { connectDatabase } from "../../db/index.ts";
import { createTestDatabase } from "../../db/testing.ts";
import { newId, present } from "../../kit/index.ts";
import { type Log, silentLog } from "../../telemetry/index.ts";
import { createLeaseKeeper, type LeaseKeeper, takeLease } from "./lease.ts";
import { endExpiredLeases, loadMarkedNodes } from "./lease-store.ts";

const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let elapsedMs = 0;
const clock = { nowMs: () => elapsedMs, elapsedMs: () => elapsedMs };
let lost = 0;
let lease: LeaseKeeper;

beforeEach(async () => {
  await db.pool.query("delete from processes");
  lost = 0;
  lease = await join();
});

function join(onLost: () => void = () => lost++, database = db): Promise<LeaseKeeper> {
  return takeLease({ db: database, log: silentLog, clock, onLost });
}

/** Time passes for the process and the database alike. */
async function pass(ms: number): Promise<void> {
  elapsedMs += ms;
  await database.advanceClock(ms);
}

async function isHeld({ current }: LeaseKeeper): Promise<boolean> {
  const { rows } = await db.pool.query(
    "select 1 from processes where process_id = $1 and epoch = $2 and ended_at is null and expires_at > bursar_now()",
    [current.processId, current.epoch],
  );
  return rows.length === 1;
}

describe("a lease", () => {
  test("stays the same as long as it is renewed", async () => {
    const first = lease.current;
    for (let i = 0; i < 6; i++) {
      await pass(RENEW_EVERY_MS);
      await lease.renew();
      expect(await endExpiredLeases(db, newId())).toBe(0);
    }
    expect([lease.current, lost]).toEqual([first, 0]);
  });

  test("that expired unnoticed is simply renewed: a laptop that slept loses nothing", async () => {
    await pass(10 * LEASE_MS);
    await lease.renew();
    expect([lease.current.epoch, lost, await isHeld(lease)]).toEqual([1, 0, true]);
  });

  test("that another process ended is reported lost once and continues under a new epoch", async () => {
    const first = lease.current;
    await pass(LEASE_MS + 1);
    expect(await endExpiredLeases(db, newId())).toBe(1);
    await lease.renew();
    expect(lost).toBe(1);
    expect(lease.current).toEqual({ processId: first.processId, epoch: 2 });
    expect(await isHeld(lease)).toBe(true);
  });

  test("logs that it is lost, what that means, and that there is a new one", async () => {
    const lines: unknown[] = [];
    const log: Log = {
      ...silentLog,
      error: (event, fields) => void lines.push({ event, ...fields }),
      info: (event, fields) => void lines.push({ event, ...fields }),
    };
    const told = await takeLease({ db, log, clock, onLost: () => lines.push("calls end") });
    await pass(LEASE_MS + 1);
    await endExpiredLeases(db, newId());
    await told.renew();
    const process_id = told.current.processId;
    expect(lines).toEqual([
      { event: "lease_lost", process_id, epoch: 1, error: expect.stringContaining("cost nothing") },
      "calls end",
      { event: "lease_regained", process_id, epoch: 2 },
    ]);
    await told.leave();
  });

  test("takes one new epoch, however many concurrent renewals find the old one gone", async () => {
    await pass(LEASE_MS + 1);
    await endExpiredLeases(db, newId());
    await Promise.all([lease.renew(), lease.renew(), lease.renew()]);
    expect([lost, lease.current.epoch, await isHeld(lease)]).toEqual([1, 2, true]);
  });

  test("publishes the marks of its process, if it has any", async () => {
    const marks = { secretMark: "a-mark", objectsPlace: "s3://bucket", catalogMark: "c-mark" };
    const marked = await takeLease({ db, log: silentLog, clock, marks, onLost: () => lost++ });
    expect(await loadMarkedNodes(db, null)).toEqual([{ host: hostname(), ...marks }]);
    expect(await loadMarkedNodes(db, marked.current.processId)).toEqual([]);
  });

  test("that is given back stays ended, even if a renewal is in progress", async () => {
    const renewing = lease.renew();
    await Promise.all([lease.leave(), renewing]);
    await lease.renew();
    const { rows } = await db.pool.query("select 1 from processes where ended_at is null");
    expect([rows.length, lost]).toEqual([0, 0]);
  });
});

describe("the right to sweep", () => {
  async function renewFor(ms: number, renewed = lease): Promise<void> {
    for (let passed = 0; passed < ms; passed += RENEW_EVERY_MS) {
      await pass(RENEW_EVERY_MS);
      await renewed.renew();
    }
  }

  test("comes after one whole lease without a gap", async () => {
    await renewFor(LEASE_MS - RENEW_EVERY_MS);
    expect(lease.maySweep()).toBe(false);
    await renewFor(RENEW_EVERY_MS);
    expect(lease.maySweep()).toBe(true);
  });

  test("is lost when renewals stop, and does not return with the first one after a gap", async () => {
    await renewFor(LEASE_MS);
    await pass(LEASE_MS + 1);
    expect(lease.maySweep()).toBe(false);
    await lease.renew();
    expect(lease.maySweep()).toBe(false);
    await renewFor(LEASE_MS);
    expect(lease.maySweep()).toBe(true);
  });

  test("is lost with a gap by the process's own clock alone: it was suspended", async () => {
    await renewFor(LEASE_MS);
    elapsedMs += LEASE_MS + 1;
    await lease.renew();
    expect(lease.maySweep()).toBe(false);
  });

  test("is lost with a single renewal that the database did not answer", async () => {
    const link = connectDatabase({ url: db.url, poolSize: 1, log: silentLog });
    const cut = await join(() => lost++, link);
    await renewFor(LEASE_MS, cut);
    expect(cut.maySweep()).toBe(true);
    await link.close();
    await cut.renew();
    expect([cut.maySweep(), lost]).toEqual([false, 0]);
    await cut.leave().catch(() => {});
  });

  test("ends when the keeper is doubted; the keeper continues under a new epoch until it leaves", async () => {
    const kept = await createLeaseKeeper({ db, log: silentLog, clock, onLost: () => lost++ });
    await renewFor(LEASE_MS, kept);
    expect(kept.maySweep()).toBe(true);
    kept.doubt();
    expect(kept.maySweep()).toBe(false);
    await db.pool.query("update processes set ended_at = bursar_now()");
    await kept.renew();
    expect([kept.current.epoch, lost, await isHeld(kept)]).toEqual([2, 1, true]);
    await kept.leave();
    expect(await isHeld(kept)).toBe(false);
  });

  test("is lost with the epoch", async () => {
    await renewFor(LEASE_MS);
    await db.pool.query("update processes set ended_at = bursar_now() where process_id = $1", [
      present(lease.current.processId, "the process"),
    ]);
    await lease.renew();
    expect([lease.maySweep(), lost]).toEqual([false, 1]);
  });
});
