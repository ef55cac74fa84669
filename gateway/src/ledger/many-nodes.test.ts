import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { creditDelta, credits } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { createLedger } from "./ledger.ts";
import type { Grant } from "./store.ts";

const books = await openLedgerBooks({ poolSize: 16 });
const { db, ledger, admitter, found } = books;
/** Each has its own batches, as nodes do: only the database connects them. */
const nodes = Array.from({ length: 4 }, () => createLedger(db));
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

/** `work` on every node, many times at once; counts the outcomes. */
async function storm(
  times: number,
  work: (node: (typeof nodes)[number], i: number) => Promise<{ outcome: string }>,
): Promise<Record<string, number>> {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, i) => work(nodes[i % nodes.length] as (typeof nodes)[number], i)),
  );
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

describe("concurrent work of several nodes", () => {
  test("a payment that is reported forty times is granted once", async () => {
    expect(await storm(40, (node) => node.grant(grantOf(50, { reference: "payment" })))).toEqual({
      granted: 1,
      repeat: 39,
    });
    expect(await balance()).toBe("0+0 150+0");
  });

  test("a reference that comes with two amounts is granted once, and the other amount is a conflict", async () => {
    const counts = await storm(40, (node, i) =>
      node.grant(grantOf(i % 2 === 0 ? 50 : 70, { reference: "payment" })),
    );
    expect(counts).toEqual({ granted: 1, repeat: 19, conflict: 20 });
    expect(["0+0 150+0", "0+0 170+0"]).toContain(await balance());
  });

  test("a period is opened once however often it is renewed", async () => {
    const startsAt = new Date(Date.now() - 1_000);
    const endsAt = new Date(startsAt.getTime() + 86_400_000);
    const counts = await storm(40, (node) =>
      node.renew({
        orgId,
        amount: credits(500),
        startsAt,
        endsAt,
        reference: null,
        description: "plan",
      }),
    );
    expect(counts).toEqual({ renewed: 1, repeat: 39 });
    expect(await balance()).toBe("500+0 100+0");
  });

  test("overlapping periods never add up: only one period's credits are available", async () => {
    const firstMs = Date.now() - 60_000;
    await storm(20, (node, i) =>
      node.renew({
        orgId,
        amount: credits(500),
        startsAt: new Date(firstMs + i),
        endsAt: new Date(firstMs + 86_400_000 + i),
        reference: null,
        description: "plan",
      }),
    );
    expect(await balance()).toBe("500+0 100+0");
  });

  test("corrections downwards stop at zero", async () => {
    const counts = await storm(40, (node) =>
      node.adjust({ orgId, pool: "anytime", amount: creditDelta(-30), description: "test" }),
    );
    expect(counts).toEqual({ adjusted: 3, insufficient: 37 });
    expect(await balance()).toBe("0+0 10+0");
  });

  test.each(["call", "job"] as const)("a %s that is settled on every node is charged once", async (kind) => {
    const call = admissionOf(orgId, 40, { kind });
    await admitter.admit(call);
    const counts = await storm(40, (node, i) => node.settle(settlementOf(call, credits(10 + (i % 3)))));
    expect(counts).toEqual({ settled: 1, repeat: 39 });
    expect(["0+0 90+0", "0+0 89+0", "0+0 88+0"]).toContain(await balance());
  });

  test("a settlement and a release of one call end it once, whichever comes first", async () => {
    const calls = Array.from({ length: 10 }, () => admissionOf(orgId, 10));
    await Promise.all(calls.map((call) => admitter.admit(call)));
    const counts = await storm(40, (node, i) => {
      const call = calls[i % calls.length] as (typeof calls)[number];
      return node.settle(i < 20 ? releaseOf(call) : settlementOf(call, credits(10)));
    });
    expect(counts["settled"]).toBe(10);
    expect((await ledger.account(orgId)).anytimeHeld).toBe(credits(0));
  });

  test("grants, holds, settlements and corrections in any order keep the books sound", async () => {
    orgId = await found(1_000);
    const running = Array.from({ length: 30 }, () => admissionOf(orgId, 3));
    await Promise.all(running.map((call) => admitter.admit(call)));
    const counts = await storm(120, async (node, i) => {
      if (i % 4 === 0) return node.grant(grantOf(1));
      if (i % 4 === 1)
        return node.adjust({ orgId, pool: "anytime", amount: creditDelta(-1), description: "test" });
      if (i % 4 === 2) return admitter.admit(admissionOf(orgId, 3));
      const call = running[Math.floor(i / 4)] as (typeof running)[number];
      return node.settle(settlementOf(call, credits(2)));
    });
    expect(counts).toEqual({ granted: 30, adjusted: 30, admitted: 30, settled: 30 });
    expect(await balance()).toBe("0+0 850+90");
  });
});
