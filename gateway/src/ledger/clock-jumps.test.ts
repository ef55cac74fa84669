import { describe, expect, test } from "bun:test";
import { openJumpingBooks } from "../../../test/ledger-jumps.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { createAdmitter } from "../admission/index.ts";
import { createBilling } from "../billing/index.ts";
import { createExpectedTime } from "../db/expected-time.ts";
import { acceptDatabaseTime } from "../db/index.ts";
import { creditDelta, credits, DAY_MS, MINUTE_MS, newId } from "../kit/index.ts";
import { createLog, silentLog } from "../telemetry/index.ts";
import { createUsage } from "../usage/index.ts";
import { takeLease } from "./lease/lease.ts";
import { lookAtTime } from "./lease/lease-store.ts";
import { createLedger } from "./ledger.ts";
import { settleAll } from "./store.ts";
import { expirePeriods, forgetOldReplies, sweepHolds } from "./sweeper.ts";

const JUMP_MS = 40 * DAY_MS;

let orgId: string;
const { books, db, ledger, admitter, lease, jump, entryTypes } = await openJumpingBooks((id) => {
  orgId = id;
});

const usage = createUsage({
  db,
  clock: { nowMs: () => Date.now(), elapsedMs: () => performance.now() },
  typeOfModel: () => "text",
  lowBalance: { lowBalancePercent: 10, lowBalanceCredits: 10 },
});
const plans = new Map([["free", { monthlyCredits: credits(7) }]]);
const billing = createBilling({ db, ledger, plans, log: silentLog });
const standing = async () => {
  const { subscription, subscriptionGranted, isLow } = await usage.standing(orgId);
  return { subscription, subscriptionGranted, isLow };
};

const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["an admission", () => admitter.admit(admissionOf(orgId, 1))],
  ["an admission with a key", () => admitter.admit(keyed())],
  ["a settlement of a batch", () => settleAll(db, "call", [settlementOf(admissionOf(orgId, 1), credits(1))])],
  ["a settlement", () => ledger.settle(settlementOf(admissionOf(orgId, 1), credits(1)))],
  ["a read of the account", () => ledger.account(orgId)],
  ["the balance view", () => usage.balanceView({ id: orgId, plan: "free" }, { limit: 5 })],
  ["the console's view", standing],
  ["a grant", () => ledger.grant(books.grantOf(orgId, 1))],
  [
    "a correction",
    () => ledger.adjust({ orgId, pool: "anytime", amount: creditDelta(1), description: "test" }),
  ],
  ["the expiry of periods", () => expirePeriods(db)],
  ["the renewals", () => billing.renewDue()],
];

function keyed() {
  return admissionOf(orgId, 1, { idempotency: { key: newId(), fingerprint: Buffer.alloc(32) } });
}

describe.each([JUMP_MS, -JUMP_MS])("after a jump of the database's clock by %d ms", (ms) => {
  test.each(WAYS)("%s expires nothing", async (_, act) => {
    await jump(ms);
    await act();
    await jump(-ms);
    const { subscriptionAvailable, subscriptionHeld, period } = await ledger.account(orgId);
    expect(subscriptionAvailable + subscriptionHeld).toBeGreaterThanOrEqual(499);
    expect(period).not.toBeNull();
    expect(await entryTypes()).not.toContain("expire");
  });

  test("a kept reply is kept, also one of a call in the jump, and replays cost nothing", async () => {
    const early = keyed();
    const late = keyed();
    await admitter.admit(early);
    await ledger.settle(settlementOf(early, credits(1), { reply: '"kept"' }));
    await jump(ms);
    await admitter.admit(late);
    await ledger.settle(settlementOf(late, credits(1), { reply: '"kept"' }));
    await forgetOldReplies(db);
    expect(await admitter.isRepeat(early)).toBe(true);
    for (const one of [early, late])
      expect(await admitter.admit({ ...one, requestId: newId() })).toMatchObject({ reply: '"kept"' });
    await jump(-ms);
    expect(await admitter.admit({ ...late, requestId: newId() })).toMatchObject({ reply: '"kept"' });
  });
});

test("in a jump a new organization gets its first month at once, and no second one", async () => {
  const newOrgId = await books.found(0);
  await jump(JUMP_MS);
  const renew = async (fromMs: number) => {
    const at = (ms: number) => new Date(Date.now() + JUMP_MS + fromMs + ms);
    const month = { startsAt: at(0), endsAt: at(30 * DAY_MS), reference: null, description: "test" };
    return (await ledger.renew({ orgId: newOrgId, amount: credits(7), ...month })).outcome;
  };
  expect([await renew(-2000), await renew(-1000)]).toEqual(["renewed", "early"]);
});

test("in a jump no call is swept and no lease is ended", async () => {
  const call = admissionOf(orgId, 10);
  await admitter.admit(call);
  const allowed = { ...lease, maySweep: () => true, doubt: () => {} };
  await jump(JUMP_MS);
  await lease.renew();
  expect(await sweepHolds({ db, log: silentLog, lease: allowed })).toBe(0);
  await jump(-JUMP_MS);
  await lease.renew();
  expect((await ledger.settle(settlementOf(call, credits(3)))).outcome).toBe("settled");
});

test("the views go on to show the credits of a month that did not end", async () => {
  const before = await standing();
  expect(before).toEqual({ subscription: 500, subscriptionGranted: 500, isLow: false });
  await jump(JUMP_MS);
  expect(await standing()).toEqual(before);
});

function openToldLog() {
  const lines: string[] = [];
  const sink = { write: (line: string) => void lines.push(line), flush() {}, async end() {} };
  const log = createLog({ level: "info", keyPrefix: "svc_live_", sink });
  const told = () =>
    lines.map((line) => {
      const { level, event } = JSON.parse(line) as { level: string; event: string };
      return `${level} ${event}`;
    });
  return { log, told };
}

test("a jump is told once, and so is its end", async () => {
  const { log, told } = openToldLog();
  const own = await takeLease({ db, log, clock: { nowMs: () => 0, elapsedMs: () => 0 }, onLost: () => {} });
  await own.renew();
  await jump(JUMP_MS);
  for (let n = 0; n < 3; n++) await own.renew();
  await jump(-JUMP_MS);
  await own.renew();
  expect(told()).toEqual(["error database_clock_doubted", "info database_clock_believed"]);
});

/** A node with a clock of its own. */
async function startNode(wallAheadMs = 0, log = silentLog) {
  const clock = { aheadMs: wallAheadMs, slept: 0 };
  const time = createExpectedTime({
    nowMs: () => Date.now() + clock.aheadMs,
    elapsedMs: () => performance.now() + clock.slept,
  });
  const own = { ...db, time };
  await lookAtTime(own);
  const lease = await takeLease({
    db: own,
    log,
    clock: { nowMs: Date.now, elapsedMs: () => clock.slept },
    onLost: () => {},
  });
  await lease.renew();
  return { clock, time, lease, ledger: createLedger(own), admitter: createAdmitter({ db: own, lease }) };
}

test("of two nodes one that starts in a jump believes it no more than the other", async () => {
  await jump(JUMP_MS);
  const fresh = await startNode();
  await fresh.ledger.account(orgId);
  await fresh.admitter.admit(admissionOf(orgId, 1));
  expect([fresh.time.isDoubted, (await ledger.account(orgId)).period]).not.toContain(null);
  expect(await entryTypes()).toBe("grant grant");
});

test("nodes that are all started anew on a machine that jumped move nothing for ten minutes, and tell it calmly", async () => {
  const before = await startNode();
  const call = keyed();
  await before.admitter.admit(call);
  await ledger.settle(settlementOf(call, credits(1), { reply: '"kept"' }));
  await before.lease.leave();
  await jump(JUMP_MS);
  for (let starts = 0; starts < 2; starts++) {
    const { log, told } = openToldLog();
    const fresh = await startNode(JUMP_MS, log);
    await fresh.ledger.account(orgId);
    expect(await fresh.admitter.admit({ ...call, requestId: newId() })).toMatchObject({ reply: '"kept"' });
    expect((await fresh.admitter.admit(admissionOf(orgId, 1))).outcome).toBe("admitted");
    expect([told(), await entryTypes()]).toEqual([["info database_not_used"], "grant grant charge"]);
    await fresh.lease.leave();
  }
});

test("a node that starts where nothing ran may sweep after a whole lease, unlike one that doubts the time", async () => {
  const before = await startNode();
  await before.lease.leave();
  await jump(JUMP_MS);
  const look = async (wallAheadMs: number) => {
    const { clock, lease, time } = await startNode(wallAheadMs);
    clock.slept += 15_000;
    await lease.renew();
    return [time.unusedSince !== null, lease.maySweep()];
  };
  expect([await look(JUMP_MS), await look(0)]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test("a new time that stays is believed after ten minutes, and what is over expires", async () => {
  const node = await startNode();
  await jump(JUMP_MS);
  node.clock.aheadMs = JUMP_MS;
  for (const slept of [0, 9 * MINUTE_MS, MINUTE_MS]) {
    await node.ledger.account(orgId);
    expect(await entryTypes()).toBe("grant grant");
    node.clock.slept += slept;
    node.clock.aheadMs += slept;
    await jump(slept);
    await node.lease.renew();
  }
  await node.ledger.account(orgId);
  expect(await entryTypes()).toBe("grant grant expire");
});

test("a time that is accepted is believed at the next look", async () => {
  const node = await startNode();
  await jump(JUMP_MS);
  await acceptDatabaseTime(db);
  await node.ledger.account(orgId);
  expect(await entryTypes()).toBe("grant grant");
  await node.lease.renew();
  await node.ledger.account(orgId);
  expect(await entryTypes()).toBe("grant grant expire");
  await db.pool.query("delete from clock_acceptances");
});
