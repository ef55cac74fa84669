import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf } from "../../../../test/paid-items.ts";
import { runJobs } from "../../../../test/run-jobs.ts";
import type { AdmissionCall } from "../../admission/index.ts";
import { admitAll } from "../../admission/store.ts";
import { newId } from "../../kit/index.ts";

const NOW = new Date("2031-01-01T00:00:00Z");
const LEASE_MS = 15_000;
const DAY_MS = 86_400_000;
const books = await openLedgerBooks();
const { database, db } = books;
afterAll(() => database.drop());
beforeEach(async () => {
  await db.pool.query("delete from holds");
  await db.pool.query("delete from processes");
  await database.freezeClock(NOW);
});

async function ask<T>(sql: string, values: unknown[] = []): Promise<T> {
  const { rows } = await db.pool.query<{ answer: T }>(`select ${sql} as answer`, values);
  return rows[0]?.answer as T;
}

const acquire = (process: string) => ask<number>("lease_acquire($1, 'host', 1)", [process]);
const renew = (process: string, epoch: number) => ask<boolean>("lease_renew($1, $2)", [process, epoch]);
const endExpired = () => ask<number>("lease_end_expired()");

async function leases(): Promise<unknown[]> {
  const { rows } = await db.pool.query<{ expires_at: Date; ended_at: Date | null }>(
    "select process_id, epoch, expires_at, ended_at from processes order by process_id",
  );
  return rows.map(({ expires_at, ended_at, ...row }) => ({
    ...row,
    expiresInMs: expires_at.getTime() - NOW.getTime(),
    isEnded: ended_at !== null,
  }));
}

describe("a lease in the database", () => {
  test("lasts fifteen seconds from each renewal, and only its own process and epoch can renew it", async () => {
    const process_id = newId();
    expect(await acquire(process_id)).toBe(1);
    expect(await leases()).toEqual([{ process_id, epoch: 1, expiresInMs: LEASE_MS, isEnded: false }]);
    await database.advanceClock(1_000);
    expect(await renew(process_id, 1)).toBe(true);
    expect(await leases()).toEqual([{ process_id, epoch: 1, expiresInMs: LEASE_MS + 1_000, isEnded: false }]);
    expect([await renew(process_id, 2), await renew(newId(), 1)]).toEqual([false, false]);
  });

  test("can be ended just after its end, not at it; then the process needs a new epoch", async () => {
    const process_id = newId();
    await acquire(process_id);
    await database.advanceClock(LEASE_MS);
    expect(await endExpired()).toBe(0);
    await database.advanceClock(1);
    expect(await endExpired()).toBe(1);
    expect(await endExpired()).toBe(0);
    expect(await renew(process_id, 1)).toBe(false);
    expect(await acquire(process_id)).toBe(2);
    expect(await leases()).toEqual([{ process_id, epoch: 2, expiresInMs: 2 * LEASE_MS + 1, isEnded: false }]);
  });

  test("is shortened just when it would last more than thirty seconds, as after a clock that went back", async () => {
    await acquire(newId());
    for (const [backMs = 0, expiresInMs] of [
      [LEASE_MS, LEASE_MS],
      [1, -1],
    ]) {
      await database.advanceClock(-backMs);
      await endExpired();
      expect(await leases()).toMatchObject([{ expiresInMs }]);
    }
  });

  test("is given back only by its own process and epoch", async () => {
    const [mine, other] = [newId(), newId()];
    await acquire(mine);
    await acquire(other);
    await ask("lease_leave($1, 2)", [mine]);
    expect(await leases()).toMatchObject([{ isEnded: false }, { isEnded: false }]);
    await ask("lease_leave($1, 1)", [mine]);
    expect(await leases()).toMatchObject([
      { process_id: mine, isEnded: true },
      { process_id: other, isEnded: false },
    ]);
  });

  test("is deleted a day after it ended, unless a hold refers to it", async () => {
    const [empty, holding] = [newId(), newId()];
    for (const process of [empty, holding]) await acquire(process);
    await hold(holding, 1);
    for (const process of [empty, holding]) await ask("lease_leave($1, 1)", [process]);
    await database.advanceClock(DAY_MS);
    await endExpired();
    expect(await leases()).toHaveLength(2);
    await database.advanceClock(1);
    await endExpired();
    expect(await leases()).toMatchObject([{ process_id: holding }]);
  });
});

async function hold(process: string, epoch: number, changes: Partial<AdmissionCall> = {}): Promise<string> {
  const call = admissionOf(await books.found(10), 1, { holdTtlMs: 60_000, ...changes });
  const [answer] = await admitAll(db, { processId: process, epoch }, [call], false);
  expect(answer?.outcome).toBe("admitted");
  return call.requestId;
}

async function orphans(limit = 100): Promise<string[]> {
  const { rows } = await db.pool.query<{ request_id: string }>("select request_id from orphaned_holds($1)", [
    limit,
  ]);
  return rows.map((row) => row.request_id).toSorted();
}

describe("an orphaned hold is found", () => {
  test("when its job has ended or is deleted, whichever process took it, and not before", async () => {
    const living = newId();
    await acquire(living);
    const [ended, gone] = [await hold(living, 1, { kind: "job" }), await hold(living, 1, { kind: "job" })];
    await runJobs(db);
    await database.advanceClock(3 * 3_600_000);
    expect(await orphans()).toEqual([]);
    await db.pool.query(
      "update video_jobs set status = 'failed', ended_at = bursar_now(), video_order = null where request_id = $1",
      [ended],
    );
    expect(await orphans()).toEqual([ended]);
    await db.pool.query("delete from video_jobs");
    expect(await orphans()).toEqual([ended, gone].toSorted());
  });

  test("when the epoch that took it has ended, and not before, unless its job is still running", async () => {
    const [dead, living] = [newId(), newId()];
    for (const process of [dead, living]) await acquire(process);
    const orphan = await hold(dead, 1);
    await hold(dead, 1, { kind: "job" });
    await runJobs(db);
    await hold(living, 1);
    expect(await orphans()).toEqual([]);
    await ask("lease_leave($1, 1)", [dead]);
    expect(await orphans()).toEqual([orphan]);
    await acquire(dead);
    expect(await orphans()).toEqual([orphan]);
  });

  test("just after its own time limit, even if its process is alive", async () => {
    const living = newId();
    await acquire(living);
    const late = await hold(living, 1);
    await database.advanceClock(60_000);
    expect(await orphans()).toEqual([]);
    await database.advanceClock(1);
    expect(await orphans()).toEqual([late]);
  });

  test("up to the requested number at a time", async () => {
    const dead = newId();
    await acquire(dead);
    const all = [await hold(dead, 1), await hold(dead, 1), await hold(dead, 1)];
    await ask("lease_leave($1, 1)", [dead]);
    expect(await orphans(2)).toHaveLength(2);
    expect(await orphans(3)).toEqual(all.toSorted());
  });
});
