import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { draftAsset } from "../../../test/drafted-asset.ts";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { armFailpoint, credits } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import type { MadeAsset, Settlement } from "./settlement.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter, found } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = await found(1_000);
});
afterEach(async () => {
  expect((await verifyLedger(db)).faults).toEqual([]);
});

const draft = (changes: Partial<MadeAsset> = {}, owner = orgId) => draftAsset(db, owner, changes);

type Row = { id: string; credits_charged: string; prompt: string; request_id: string; created_at: Date };

async function assets(): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>("select * from assets where org_id = $1 order by id", [orgId]);
  return rows;
}

async function orphans(): Promise<string[]> {
  const { rows } = await db.pool.query<{ object_key: string }>(
    "select object_key from stray_objects where org_id = $1 order by 1",
    [orgId],
  );
  return rows.map((row) => row.object_key);
}

/** An admitted call that has made this many images. */
async function started(count: number, held = 100): Promise<{ settlement: Settlement; made: MadeAsset[] }> {
  const call = admissionOf(orgId, held, { endpoint: "api-v1-images", model: "sandbox-image" });
  await admitter.admit(call);
  const made: MadeAsset[] = [];
  for (let at = 0; at < count; at++) made.push(await draft());
  return { settlement: settlementOf(call, credits(held), { assets: made }), made };
}

describe("a settlement with assets", () => {
  test("charges and publishes them, and their objects are no longer strays", async () => {
    const { settlement, made } = await started(2);
    const settled = await ledger.settle(settlement);
    expect([settled.outcome, settled.chargedAnytime, settled.anytimeAfter]).toEqual([
      "settled",
      credits(100),
      credits(900),
    ]);
    const rows = await assets();
    expect(rows.map(({ id }) => id)).toEqual(made.map(({ id }) => id).sort());
    expect(rows[0]).toMatchObject({ prompt: made[0]?.prompt, request_id: settlement.requestId });
    expect(await orphans()).toEqual([]);
  });

  test("sent again publishes nothing again, not even what was deleted since", async () => {
    const { settlement, made } = await started(2);
    await ledger.settle(settlement);
    await db.pool.query("delete from assets where org_id = $1 and id = $2", [orgId, made[0]?.id]);
    const repeated = await ledger.settle(settlement);
    expect([repeated.outcome, repeated.chargedAnytime]).toEqual(["repeat", credits(100)]);
    expect((await assets()).map(({ id }) => id)).toEqual([made[1]?.id ?? ""]);
    expect(await books.balance(orgId)).toBe("0+0 900+0");
  });

  test("sent many times concurrently charges and publishes once", async () => {
    const { settlement } = await started(3);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => ledger.settle(settlement)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([...Array(5).fill("repeat"), "settled"]);
    expect((await assets()).length).toBe(3);
  });

  test("whose answer was lost finds its result when it is repeated", async () => {
    const { settlement } = await started(1);
    const disarm = armFailpoint("after_settle_sql", () => {
      throw new Error("the answer is lost");
    });
    await expect(ledger.settle(settlement)).rejects.toThrow("the answer is lost");
    disarm();
    expect((await ledger.settle(settlement)).outcome).toBe("repeat");
    expect([(await assets()).length, await books.balance(orgId)]).toEqual([1, "0+0 900+0"]);
  });

  test("after the release of its call charges and publishes nothing", async () => {
    const { settlement, made } = await started(1);
    await ledger.settle(releaseOf(settlement));
    const settled = await ledger.settle(settlement);
    expect([settled.outcome, settled.chargedAnytime]).toEqual(["repeat", credits(0)]);
    expect([await assets(), await orphans()]).toEqual([[], made.map(({ objectKey }) => objectKey)]);
  });

  test("after the sweeper is late: nothing is charged or published, and the objects stay strays", async () => {
    const { settlement, made } = await started(1);
    await settleAll(db, "sweeper", [releaseOf(settlement)]);
    const settled = await ledger.settle(settlement);
    expect(settled.outcome).toBe("late");
    expect([await assets(), await orphans()]).toEqual([[], made.map(({ objectKey }) => objectKey)]);
  });

  test("without a hold is charged and published", async () => {
    const made = await draft();
    const call = admissionOf(orgId, 10);
    const settled = await ledger.settle(settlementOf(call, credits(10), { assets: [made] }));
    expect([settled.outcome, settled.chargedAnytime]).toEqual(["orphan", credits(10)]);
    expect((await assets()).map((row) => row.credits_charged)).toEqual(["10"]);
  });

  test("that is a release publishes nothing", async () => {
    const { settlement, made } = await started(1);
    const settled = await ledger.settle({ ...settlement, cost: credits(0), status: "failed" });
    expect([settled.outcome, settled.chargedAnytime]).toEqual(["settled", credits(0)]);
    expect([await assets(), await orphans()]).toEqual([[], made.map(({ objectKey }) => objectKey)]);
  });

  test("whose objects the sweep has taken fails and charges nothing", async () => {
    const { settlement, made } = await started(2);
    await db.pool.query("update stray_objects set is_sweeping = true where object_key = $1", [
      made[1]?.objectKey,
    ]);
    await expect(ledger.settle(settlement)).rejects.toThrow("are not there to be published");
    expect([await assets(), (await orphans()).length]).toEqual([[], 2]);
    expect(await books.balance(orgId)).toBe("0+0 900+100");
    await ledger.settle(releaseOf(settlement));
  });

  test("with another organization's object fails, and charges and publishes nothing", async () => {
    const foreign = await draft({}, await found(0));
    const { settlement } = await started(0);
    await expect(ledger.settle({ ...settlement, assets: [foreign] })).rejects.toThrow("are not there");
    expect([await assets(), await books.balance(orgId)]).toEqual([[], "0+0 900+100"]);
    await ledger.settle(releaseOf(settlement));
  });

  test("and a batch of chat settlements beside it are both charged", async () => {
    const { settlement } = await started(1);
    const words = Array.from({ length: 5 }, () => admissionOf(orgId, 3));
    await Promise.all(words.map((call) => admitter.admit(call)));
    await Promise.all([
      ledger.settle(settlement),
      ...words.map((call) => ledger.settle(settlementOf(call, credits(3)))),
    ]);
    expect(await books.balance(orgId)).toBe("0+0 885+0");
  });
});

test("the parts of a charge add up to it and differ by one at most", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 90 }),
      async (count, held, cost) => {
        orgId = await found(60);
        const { settlement } = await started(count, held);
        const settled = await ledger.settle({ ...settlement, cost: credits(cost) });
        const parts = (await assets()).map((row) => Number(row.credits_charged));
        expect(parts.length).toBe(count);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(settled.chargedAnytime);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 40 },
  );
});
