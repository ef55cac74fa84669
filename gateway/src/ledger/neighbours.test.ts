import { afterAll, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerRows } from "../../../test/ledger-rows.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { admitAll, loadReply } from "../admission/store.ts";
import { credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleOne } from "./single-store.ts";
import { settleAll } from "./store.ts";

/** A missing condition in SQL shows in the rows of other organizations, so each test has some beside its own. */

const books = await openLedgerBooks();
const { database, db, lease, ledger, found, balance } = books;
afterAll(() => database.drop());

let orgId: string;
let other: string;
beforeEach(async () => {
  await database.freezeClock(new Date("2031-01-01T00:00:30Z"));
  orgId = await found(100);
  other = await found(100);
});

async function answer(call: AdmissionCall, { retry = false } = {}) {
  const [admission] = await admitAll(db, lease.current, [call], retry);
  return admission;
}

async function hold(
  org: string,
  amount: number,
  changes: Partial<AdmissionCall> = {},
): Promise<AdmissionCall> {
  const call = admissionOf(org, amount, changes);
  expect(await answer(call)).toMatchObject({ outcome: "admitted" });
  return call;
}

const keyed = (key: string) => ({ idempotency: { key, fingerprint: new Uint8Array(32) } });
const settle = (call: AdmissionCall, cost: number) =>
  settleAll(db, "call", [settlementOf(call, credits(cost), { reply: "{}" })]);

test("a retried admission finds its own hold, not another call's", async () => {
  await hold(orgId, 3);
  const lost = await hold(orgId, 10);
  await hold(other, 5);
  expect(await answer(lost, { retry: true })).toMatchObject({ outcome: "admitted", granted: credits(10) });
  expect(await balance(orgId)).toBe("0+0 87+13");
  expect(await answer(admissionOf(orgId, 7), { retry: true })).toMatchObject({ granted: credits(7) });
  expect(await balance(orgId)).toBe("0+0 80+20");
});

test("an idempotency key counts per organization and endpoint", async () => {
  await hold(orgId, 1, keyed("a"));
  expect(await answer(admissionOf(orgId, 1, keyed("a")))).toMatchObject({ outcome: "running" });
  expect(await answer(admissionOf(orgId, 1, keyed("b")))).toMatchObject({ outcome: "admitted" });
  expect(await answer(admissionOf(other, 1, keyed("a")))).toMatchObject({ outcome: "admitted" });
  expect(await answer(admissionOf(orgId, 1, { ...keyed("a"), endpoint: "api-v1-images" }))).toMatchObject({
    outcome: "admitted",
  });
});

test("a settlement ends only its own idempotency key, and a release frees only its own", async () => {
  const [paid, failed, running] = [
    await hold(orgId, 1, keyed("paid")),
    await hold(orgId, 1, keyed("failed")),
    await hold(orgId, 1, keyed("running")),
  ];
  await hold(orgId, 1, { ...keyed("paid"), endpoint: "api-v1-images" });
  await hold(other, 1, keyed("paid"));
  await settle(paid, 1);
  await settleAll(db, "call", [releaseOf(failed)]);
  const outcomeOf = async (call: AdmissionCall) => (await answer(call))?.outcome;
  expect([
    await outcomeOf(admissionOf(orgId, 1, keyed("paid"))),
    await outcomeOf(admissionOf(orgId, 1, keyed("failed"))),
    await outcomeOf(admissionOf(orgId, 1, keyed("running"))),
    await outcomeOf(admissionOf(orgId, 1, { ...keyed("paid"), endpoint: "api-v1-images" })),
    await outcomeOf(admissionOf(other, 1, keyed("paid"))),
  ]).toEqual(["replay", "admitted", "running", "running", "running"]);
  await settle(running, 1);
});

test("an idempotency key that has expired belongs to its next call", async () => {
  await settle(await hold(orgId, 2, keyed("k")), 2);
  await database.advanceClock(24 * 3_600_000);
  const second = await hold(orgId, 5, keyed("k"));
  expect(await answer(admissionOf(orgId, 5, keyed("k")))).toMatchObject({ outcome: "running" });
  await settle(second, 5);
  expect(await answer(admissionOf(orgId, 5, keyed("k")))).toMatchObject({
    outcome: "replay",
    requestId: second.requestId,
    charged: credits(5),
  });
});

test("each API key counts its own calls and gets its own places in flight back", async () => {
  const limits = { keyRequestsPerMinute: 2, keyInFlight: 2 };
  const [one, two] = [newId(), newId()];
  const first = await hold(orgId, 1, { ...limits, keyId: one });
  await hold(orgId, 1, { ...limits, keyId: one });
  await hold(orgId, 1, { ...limits, keyId: two });
  await hold(other, 1, { ...limits, keyId: one });
  expect(await answer(admissionOf(orgId, 1, { ...limits, keyId: one }))).toMatchObject({
    outcome: "rate_limited",
  });
  await settle(first, 1);
  const windows = (await ledgerRows(db, orgId))["key_windows"] as {
    key_id: string;
    calls_in_flight: number;
  }[];
  expect(windows.map((row) => [row.key_id, row.calls_in_flight])).toEqual([
    [one, 1],
    [two, 1],
  ]);
  const others = (await ledgerRows(db, other))["key_windows"] as { calls_in_flight: number }[];
  expect(others.map((row) => row.calls_in_flight)).toEqual([1]);
});

test.each(["together", "alone"])(
  "a settlement leaves other holds and other organizations' credits alone, settled %s",
  async (how) => {
    const call = await hold(orgId, 10);
    await hold(orgId, 3);
    await hold(other, 5);
    const settlement = settlementOf(call, credits(4));
    if (how === "alone") await settleOne(db, settlement);
    else await settleAll(db, "call", [settlement]);
    expect([await balance(orgId), await balance(other)]).toEqual(["0+0 93+3", "0+0 95+5"]);
    expect((await ledgerRows(db, orgId))["holds"]).toHaveLength(1);
    expect((await ledgerRows(db, other))["requests"]).toEqual([]);
  },
);

test("a batch over several organizations charges each from its own account", async () => {
  const calls = [await hold(other, 10), await hold(orgId, 20), await hold(other, 30)];
  const costs = [1, 2, 40];
  const settled = await settleAll(
    db,
    "call",
    calls.map((call, at) => settlementOf(call, credits(costs[at] ?? 0), { model: `model-${at}` })),
  );
  expect(
    settled.map(({ chargedAnytime, anytimeAfter }) => [chargedAnytime, anytimeAfter].map(Number)),
  ).toEqual([
    [1, 69],
    [2, 98],
    [40, 59],
  ]);
  for (const org of [orgId, other]) expect((await verifyLedger(db, { orgId: org })).faults).toEqual([]);
  const sums = (await ledgerRows(db, other))["rollups"] as { model: string; credits_charged: number }[];
  expect(sums.map((row) => [row.model, row.credits_charged])).toEqual([
    ["model-0", 1],
    ["model-2", 40],
  ]);
});

test("a settlement without a hold is charged and recorded as such, and leaves others of its batch alone", async () => {
  const held = await hold(orgId, 10, keyed("mine"));
  const orphan = admissionOf(orgId, 4);
  const [, settled] = await settleAll(db, "call", [
    settlementOf(held, credits(6), { reply: "{}" }),
    settlementOf(orphan, credits(4), { reply: "another" }),
  ]);
  expect(settled).toMatchObject({ outcome: "orphan", chargedAnytime: credits(4), anytimeAfter: credits(90) });
  const rows = (await ledgerRows(db, orgId))["requests"] as { request_id: string; held_credits: number }[];
  expect(rows.find((row) => row.request_id === orphan.requestId)).toMatchObject({
    held_credits: 0,
    ended_by: "call",
  });
  expect(await answer(admissionOf(orgId, 1, keyed("mine")))).toMatchObject({ outcome: "replay" });
  const { endpoint, requestId } = held;
  expect(await loadReply(db, { orgId, endpoint, key: "mine", requestId })).toEqual({ reply: "{}" });
  expect(await loadReply(db, { orgId, endpoint, key: "mine", requestId: orphan.requestId })).toBeNull();
});

test("an organization that does not exist makes a batch fail before any of it is written", async () => {
  const call = await hold(orgId, 10);
  const stranger = admissionOf(newId(), 1);
  await expect(admitAll(db, lease.current, [admissionOf(orgId, 1), stranger], false)).rejects.toThrow(
    "no account",
  );
  const settlements = [settlementOf(call, credits(1)), settlementOf(stranger, credits(1))];
  await expect(settleAll(db, "call", settlements)).rejects.toThrow("no account");
  expect(await balance(orgId)).toBe("0+0 90+10");
  await expect(ledger.account(stranger.orgId)).rejects.toThrow();
});

test("a release without a hold changes nothing and returns the balance", async () => {
  await hold(orgId, 10);
  const before = await ledgerRows(db, orgId);
  expect(await settleAll(db, "call", [releaseOf(admissionOf(orgId, 5))])).toEqual([
    {
      outcome: "absent",
      chargedSubscription: credits(0),
      chargedAnytime: credits(0),
      writtenOff: credits(0),
      subscriptionAfter: credits(0),
      anytimeAfter: credits(90),
    },
  ]);
  expect(await ledgerRows(db, orgId)).toEqual(before);
});
