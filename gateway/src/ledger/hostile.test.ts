import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { credits, MAX_CREDITS, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import type { Grant } from "./store.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, lease, ledger, admitter, found } = books;
afterAll(() => books.database.drop());

let orgId: string;
beforeEach(async () => {
  orgId = await found(100);
});
afterEach(async () => {
  expect((await verifyLedger(db)).faults).toEqual([]);
});

const grantOf = (amount: number, changes: Partial<Grant> = {}) => books.grantOf(orgId, amount, changes);
const balance = (id = orgId) => books.balance(id);

/** Calls a function of the ledger past all our types, and returns how the database refused it. */
async function refusal(sql: string, values: unknown[]): Promise<string> {
  const before = await balance();
  const message = await db.pool.query(sql, values).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(await balance()).toBe(before);
  return message;
}

describe("one batch", () => {
  test("with the same settlement twice charges once", async () => {
    const call = admissionOf(orgId, 40);
    await admitter.admit(call);
    const settlement = settlementOf(call, credits(30));
    const settled = await Promise.all([ledger.settle(settlement), ledger.settle(settlement)]);
    expect(settled.map(({ outcome }) => outcome)).toEqual(["settled", "repeat"]);
    expect(await balance()).toBe("0+0 70+0");
  });

  test("with a release before the settlement of the same call charges nothing", async () => {
    const call = admissionOf(orgId, 40);
    await admitter.admit(call);
    const [released, settled] = await Promise.all([
      ledger.settle(releaseOf(call)),
      ledger.settle(settlementOf(call, credits(30))),
    ]);
    expect([released.outcome, settled.outcome]).toEqual(["settled", "repeat"]);
    expect(await balance()).toBe("0+0 100+0");
  });

  test("with the same admission twice holds once", async () => {
    const call = admissionOf(orgId, 40);
    const answers = await Promise.all([admitter.admit(call), admitter.admit(call)]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(["admitted", "admitted"]);
    expect(await balance()).toBe("0+0 60+40");
    await ledger.settle(releaseOf(call));
  });

  test("with an unknown organization still admits the others", async () => {
    const other = await found(5);
    const stranger = admissionOf(newId(), 1);
    const calls = [admissionOf(orgId, 10), stranger, admissionOf(other, 5), admissionOf(other, 1)];
    const answers = await Promise.allSettled(calls.map((call) => admitter.admit(call)));
    expect(
      answers.map((answer) => (answer.status === "fulfilled" ? answer.value.outcome : "failed")),
    ).toEqual(["admitted", "failed", "admitted", "insufficient"]);
    for (const call of [calls[0], calls[2]]) if (call) await ledger.settle(releaseOf(call));
  });

  test("a settlement under another organization's id leaves the hold alone", async () => {
    const victim = await found(50);
    const call = admissionOf(victim, 50);
    await admitter.admit(call);
    const settled = await ledger.settle({ ...releaseOf(call), orgId });
    expect(settled.outcome).toBe("absent");
    expect(await balance(victim)).toBe("0+0 0+50");
    await ledger.settle(releaseOf(call));
  });

  test("with settlements of several organizations charges each to its own account", async () => {
    const ids = [orgId, await found(100), await found(100)];
    const calls = Array.from({ length: 12 }, (_, i) => admissionOf(ids[i % 3] ?? "", 10));
    await Promise.all(calls.map((call) => admitter.admit(call)));
    const settled = await Promise.all(
      calls.map((call, i) => ledger.settle(settlementOf(call, credits(i % 3)))),
    );
    expect(settled.map(({ chargedAnytime }) => Number(chargedAnytime))).toEqual(calls.map((_, i) => i % 3));
    expect(await Promise.all(ids.map((id) => balance(id)))).toEqual(["0+0 100+0", "0+0 96+0", "0+0 92+0"]);
  });
});

describe("invalid amounts", () => {
  const GRANT = "select * from ledger_grant($1, $2, $3, 'manual', $4, null, null, 'x')";
  const ADJUST = "select * from ledger_adjust($1, gen_random_uuid(), $2, $3, 'x')";
  const RENEW =
    "select * from ledger_renew($1, $2, $3, bursar_now() - interval '1 s', bursar_now() + interval '1 d', null, 'x')";

  test.each([
    ["0", "grants"],
    ["-5", "grants"],
    [String(MAX_CREDITS), "accounts"],
    ["9223372036854775807", "out of range"],
    [null, "null"],
  ])("a grant of %p is refused", async (amount, word) => {
    expect(await refusal(GRANT, [orgId, newId(), "anytime", amount])).toContain(word);
    expect(await refusal(GRANT, [orgId, newId(), "gift", "1"])).not.toBe("");
  });

  test.each([
    ["0", ""],
    ["-5", ""],
    [String(MAX_CREDITS), "accounts"],
    ["9223372036854775807", ""],
  ])("a renewal of %s credits is refused", async (amount, word) => {
    const message = await refusal(RENEW, [orgId, newId(), amount]);
    expect(message).not.toBe("");
    expect(message).toContain(word);
  });

  test.each([
    ["0", "entries"],
    ["9223372036854775807", "out of range"],
    [String(MAX_CREDITS), "accounts"],
  ])("a correction by %s is refused", async (amount, word) => {
    expect(await refusal(ADJUST, [orgId, "anytime", amount])).toContain(word);
  });

  test("a correction by the smallest possible number is refused as insufficient", async () => {
    const { rows } = await db.pool.query(ADJUST, [orgId, "anytime", "-9223372036854775808"]);
    expect(rows[0]?.outcome).toBe("insufficient");
    expect(await balance()).toBe("0+0 100+0");
  });

  const SETTLE = `select * from ledger_settle('call', array[$1::uuid], '{1}', array[$2::uuid], array[$3::bigint],
    '{succeeded}', array[$2::uuid], '{NULL}', '{e}', '{m}', '{1}', '{1}', '{0}', '{1}', '{NULL}', '{NULL}', '{t}', '{NULL}')`;

  test.each(["-1", "-9223372036854775808", null])(
    "a settlement with a cost of %p is refused and changes no balance",
    async (cost) => {
      const call = admissionOf(orgId, 10);
      await admitter.admit(call);
      expect(await refusal(SETTLE, [orgId, call.requestId, cost])).not.toBe("");
      await ledger.settle(releaseOf(call));
    },
  );

  test("a huge cost charges at most two holds, and the rest is written off", async () => {
    const call = admissionOf(orgId, 10);
    await admitter.admit(call);
    const { rows } = await db.pool.query(SETTLE, [orgId, call.requestId, "9000000000000000000"]);
    expect([rows[0]?.charged_anytime, rows[0]?.written_off]).toEqual(["20", "8999999999999999980"]);
    expect(await balance()).toBe("0+0 80+0");
  });

  test("a call that held nothing is never charged", async () => {
    const broke = await found(0);
    const call = admissionOf(broke, 0);
    expect(await admitter.admit(call)).toMatchObject({ outcome: "admitted", granted: credits(0) });
    await ledger.grant(grantOf(50, { orgId: broke }));
    expect(await ledger.settle(settlementOf(call, credits(5)))).toMatchObject({
      outcome: "settled",
      chargedAnytime: credits(0),
      writtenOff: credits(5),
    });
    expect(await balance(broke)).toBe("0+0 50+0");
  });

  test("a settlement without a hold charges at most the available credits and writes off the rest", async () => {
    expect(await ledger.settle(settlementOf(admissionOf(orgId, 1), credits(130)))).toMatchObject({
      outcome: "orphan",
      chargedAnytime: credits(100),
      writtenOff: credits(30),
    });
    expect(await balance()).toBe("0+0 0+0");
  });
});

describe("invalid batches", () => {
  const ADMIT = `select * from ledger_admit($1, $2, false, $3::uuid[], $4::integer[], $5::uuid[], $5::uuid[],
    '{NULL}', '{e}', '{m}', '{call}', $6::bigint[], $7::bigint[], '{9}', '{9}', '{NULL}', '{NULL}', '{60000}', '{NULL}', '{NULL}')`;
  const epoch = () => [lease.current.processId, lease.current.epoch];

  test("a negative hold is refused", async () => {
    const values = [...epoch(), [orgId], [1], [newId()], ["-50"], ["-50"]];
    expect(await refusal(ADMIT, values)).toContain("minimum");
  });

  test("a minimum above the full amount is refused", async () => {
    const call = admissionOf(orgId, 50, { full: credits(10) });
    expect(() => admitter.admit(call)).toThrow("minimum");
    expect(await refusal(ADMIT, [...epoch(), [orgId], [1], [newId()], [50], [10]])).toContain("minimum");
  });

  test("a batch with an organization twice or out of order is refused", async () => {
    const other = await found(10);
    const [low, high] = [orgId, other].sort();
    const item = [newId()];
    expect(await refusal(ADMIT, [...epoch(), [low, low], [1, 0], item, [1], [1]])).not.toBe("");
    expect(await refusal(ADMIT, [...epoch(), [high, low], [1, 0], item, [1], [1]])).not.toBe("");
  });

  test("a batch with missing arrays is refused", async () => {
    const item = [newId()];
    expect(await refusal(ADMIT, [...epoch(), [orgId], null, item, [1], [1]])).not.toBe("");
    expect(await refusal(ADMIT, [...epoch(), [orgId], [1], item, [1], null])).toContain("minimum");
    expect(await refusal(ADMIT, [...epoch(), [orgId], [1], item, null, [1]])).toContain("minimum");
  });

  test("an empty batch of settlements returns nothing and ends no call", async () => {
    const call = admissionOf(orgId, 40);
    await admitter.admit(call);
    for (const by of ["call", "sweeper"] as const) expect(await settleAll(db, by, [])).toEqual([]);
    expect(await balance()).toBe("0+0 60+40");
    await ledger.settle(releaseOf(call));
  });
});

describe("the database", () => {
  test.each([
    "update entries set amount = 1",
    "delete from entries",
    "truncate entries",
    "update entries set amount = amount where false",
  ])("refuses on entries: %s", async (sql) => {
    expect(await refusal(sql, [])).toContain("append-only");
  });

  test("refuses a negative balance, hold or debt of an account", async () => {
    for (const column of ["anytime_available", "anytime_held", "subscription_held", "debt"]) {
      expect(await refusal(`update accounts set ${column} = -1 where org_id = $1`, [orgId])).toContain(
        "check",
      );
    }
  });

  test.each([
    ["more credits than can be counted", `anytime_available = ${MAX_CREDITS + 1}`],
    [
      "more credits than can be counted, in two parts",
      `anytime_available = ${MAX_CREDITS}, anytime_held = 1`,
    ],
    ["period credits without a period", "subscription_available = 1"],
    ["a period without an end", "period_start = bursar_now()"],
    ["a negative number of running calls", "calls_in_flight = -1"],
    ["a negative number of running jobs", "jobs_in_flight = -1"],
  ])("refuses an account with %s", async (_, change) => {
    const message = await refusal(`update accounts set ${change} where org_id = $1`, [orgId]);
    expect(message).toContain("check constraint");
  });

  test.each([
    ["a hold of negative subscription credits", "holds", "-1, 0"],
    ["a hold of negative anytime credits", "holds", "0, -1"],
    ["an entry of zero credits", "entries", "0, 5"],
    ["an entry with a negative balance", "entries", "-5, -1"],
  ])("refuses %s", async (_, table, amounts) => {
    const values =
      table === "holds"
        ? `$1, $1, 'call', ${amounts}, 0, $1, 1, bursar_now(), bursar_now(), 'e', 'm', $1, null, false, null`
        : `$1, 99, bursar_now(), 'adjust', 'anytime', ${amounts}, null, null, 'x', ''`;
    expect(await refusal(`insert into ${table} values (${values})`, [orgId])).toContain("check constraint");
  });
});
