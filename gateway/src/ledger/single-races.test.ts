import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import type pg from "pg";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { admitAll } from "../admission/store.ts";
import { connectDatabase } from "../db/index.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { createLedger } from "./ledger.ts";
import { settleAll } from "./store.ts";

const MAX_POLLS = 500;
const POLL_MS = 5;
const books = await openLedgerBooks({ poolSize: 8 });
const { db, lease, ledger, admitter, found, grantOf } = books;
// Before any hold: tests that set the clock to this year would make holds of another year expire.
await books.database.freezeClock(new Date("2031-01-01T00:00:00Z"));
/** Separate nodes with their own connections, because the lanes of one would wait for each other. */
const nodes = Array.from({ length: 4 }, () => {
  const link = connectDatabase({ url: db.url, poolSize: 2, log: silentLog });
  return { link, ledger: createLedger(link), admitter: createAdmitter({ db: link, lease }) };
});
afterAll(async () => {
  for (const { link } of nodes) await link.close();
  await books.database.drop();
});

let orgId: string;
beforeEach(async () => {
  orgId = await found(100);
});
afterEach(async () => {
  expect((await verifyLedger(db)).faults).toEqual([]);
});

/**
 * `work` finds the account locked by somebody who then does `meanwhile` and ends: it must go by what it finds
 * afterwards.
 */
async function overtaken<T>(
  work: () => Promise<T>,
  meanwhile: (client: pg.PoolClient) => Promise<unknown>,
  ending: "commit" | "rollback" = "commit",
): Promise<T> {
  const client = await db.pool.connect();
  try {
    await client.query("begin");
    await client.query("select 1 from accounts where org_id = $1 for update", [orgId]);
    const answer = work();
    await untilWaiting();
    await meanwhile(client);
    await client.query(ending);
    return await answer;
  } finally {
    client.release();
  }
}

async function untilWaiting(): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const waiting = await db.pool.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (waiting.rowCount === 1) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error("nobody waits");
}

const SPEND = "select ledger_adjust($1, gen_random_uuid(), 'anytime', -95, 'spent')";
const ADMIT = `select ledger_admit($1, $2, false, array[$3::uuid], '{1}', array[$4::uuid], array[$4::uuid], '{NULL}',
  '{e}', '{m}', '{call}', '{1}', '{1}', '{9}', '{9}', '{NULL}', '{NULL}', '{60000}', '{NULL}', '{NULL}')`;
const SETTLE = `select ledger_settle($3, array[$1::uuid], '{1}', array[$2::uuid], array[$4::bigint], '{failed}',
  array[$2::uuid], '{NULL}', '{e}', '{m}', '{0}', '{0}', '{0}', '{1}', '{NULL}', '{NULL}', '{t}', '{NULL}')`;

describe("an admission that had to wait for the account", () => {
  test("is refused when the credits were spent meanwhile", async () => {
    const answer = await overtaken(
      () => admitter.admit(admissionOf(orgId, 10)),
      (client) => client.query(SPEND, [orgId]),
    );
    expect(answer).toMatchObject({ outcome: "insufficient", available: credits(5) });
  });

  test("gets the remaining credits when they cover its minimum", async () => {
    const answer = await overtaken(
      () => admitter.admit(admissionOf(orgId, 5, { full: credits(50) })),
      (client) => client.query(SPEND, [orgId]),
    );
    expect(answer).toMatchObject({ outcome: "admitted", granted: credits(5) });
  });

  test("gets credits that were added meanwhile", async () => {
    const answer = await overtaken(
      () => admitter.admit(admissionOf(orgId, 10, { full: credits(500) })),
      (client) =>
        client.query("select ledger_adjust($1, gen_random_uuid(), 'anytime', 1000, 'found')", [orgId]),
    );
    expect(answer).toMatchObject({ outcome: "admitted", granted: credits(500) });
  });

  test("is refused when its place in flight was taken meanwhile", async () => {
    const { processId, epoch } = lease.current;
    const answer = await overtaken(
      () => admitter.admit(admissionOf(orgId, 1, { inFlight: 1 })),
      (client) => client.query(ADMIT, [processId, epoch, orgId, newId()]),
    );
    expect(answer.outcome).toBe("too_many_in_flight");
  });

  test("uses the time after the wait, even if nothing has changed", async () => {
    await books.database.freezeClock(new Date("2031-01-01T00:00:59Z"));
    const call = admissionOf(orgId, 1, { requestsPerMinute: 10 });
    const answer = await overtaken(
      () => admitter.admit(call),
      () => books.database.advanceClock(2_000),
      "rollback",
    );
    expect(answer).toMatchObject({ outcome: "admitted", rate: { remaining: 9, resetSeconds: 59 } });
    const { rows } = await db.pool.query("select created_at from holds where request_id = $1", [
      call.requestId,
    ]);
    expect(rows[0]?.created_at).toEqual(new Date("2031-01-01T00:01:01Z"));
  });
});

describe("a settlement that had to wait for the account", () => {
  test("is late when the sweeper has ended its hold", async () => {
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    const settled = await overtaken(
      () => ledger.settle(settlementOf(call, credits(7))),
      (client) => client.query(SETTLE, [orgId, call.requestId, "sweeper", 0]),
    );
    expect(settled).toMatchObject({ outcome: "late", chargedAnytime: credits(0) });
    expect(await books.balance(orgId)).toBe("0+0 100+0");
  });

  test("is a repeat when another node has settled the call", async () => {
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    const settled = await overtaken(
      () => ledger.settle(settlementOf(call, credits(7))),
      (client) => client.query(SETTLE, [orgId, call.requestId, "call", 4]),
    );
    expect(settled).toMatchObject({ outcome: "repeat", chargedAnytime: credits(4) });
    expect(await books.balance(orgId)).toBe("0+0 96+0");
  });

  test("charges available credits when its hold was deleted without a record", async () => {
    const [call, other] = [admissionOf(orgId, 10), admissionOf(orgId, 20)];
    await admitter.admit(call);
    await admitter.admit(other);
    const settled = await overtaken(
      () => ledger.settle(settlementOf(call, credits(7))),
      async (client) => {
        await client.query("delete from holds where request_id = $1", [call.requestId]);
        await client.query(
          "update accounts set anytime_held = 20, anytime_available = 80, calls_in_flight = 1 where org_id = $1",
          [orgId],
        );
      },
    );
    expect(settled).toMatchObject({ outcome: "orphan", anytimeAfter: credits(73) });
    await ledger.settle(releaseOf(other));
  });

  test("continues from the newest entry and the newest balance", async () => {
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    const settled = await overtaken(
      () => ledger.settle(settlementOf(call, credits(7))),
      (client) =>
        client.query("select ledger_adjust($1, gen_random_uuid(), 'anytime', -80, 'spent')", [orgId]),
    );
    expect(settled).toMatchObject({ outcome: "settled", anytimeAfter: credits(13) });
  });

  test("first expires a period that ended during the wait", async () => {
    await books.database.freezeClock(new Date("2031-01-01T00:00:00Z"));
    const expiresAt = new Date("2031-01-01T00:00:01Z");
    await ledger.grant(grantOf(orgId, 50, { pool: "subscription", expiresAt }));
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    const settled = await overtaken(
      () => ledger.settle(settlementOf(call, credits(7))),
      () => books.database.advanceClock(1_000),
      "rollback",
    );
    expect(settled).toMatchObject({ chargedSubscription: credits(7), subscriptionAfter: credits(0) });
    expect(await books.balance(orgId)).toBe("0+0 100+0");
  });
});

describe("concurrent single calls of several nodes", () => {
  test("hold exactly the available credits", async () => {
    const answers = await Promise.all(
      nodes.map(async (node) => {
        const outcomes: string[] = [];
        for (let i = 0; i < 10; i++)
          outcomes.push((await node.admitter.admit(admissionOf(orgId, 9))).outcome);
        return outcomes;
      }),
    );
    const admitted = answers.flat().filter((outcome) => outcome === "admitted");
    expect([admitted.length, answers.flat().length]).toEqual([11, 40]);
    expect(await books.balance(orgId)).toBe("0+0 1+99");
  });

  test("mixed with batches, releases, grants and corrections keep the books sound", async () => {
    const ends: string[] = [];
    const alone = nodes.map(async (node, n) => {
      for (let i = 0; i < 15; i++) {
        const call = admissionOf(orgId, 3);
        if ((await node.admitter.admit(call)).outcome !== "admitted") continue;
        const other = nodes[(n + 1) % nodes.length] ?? node;
        const [settled] = await Promise.all([
          node.ledger.settle(settlementOf(call, credits(i % 5))),
          i % 3 === 0 ? other.ledger.settle(releaseOf(call)) : null,
        ]);
        ends.push(settled.outcome);
      }
    });
    const together = (async () => {
      for (let i = 0; i < 10; i++) {
        const calls = Array.from({ length: 4 }, () => admissionOf(orgId, 2));
        const answers = await admitAll(db, lease.current, calls, false);
        const held = calls.filter((_, at) => answers[at]?.outcome === "admitted");
        await settleAll(db, i % 2 === 0 ? "call" : "sweeper", held.map(releaseOf));
        await ledger.grant(grantOf(orgId, 2));
        await ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(-1), description: "test" });
      }
    })();
    await Promise.all([...alone, together]);
    expect(new Set(ends)).toEqual(new Set(["settled", "repeat"]));
    const account = await ledger.account(orgId);
    expect([account.anytimeHeld, account.subscriptionHeld]).toEqual([credits(0), credits(0)]);
  });
});
