import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { payForPack } from "../../../test/paid-pack.ts";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { ReferenceLedger } from "../../../test/simulation/reference-ledger.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";

const books = await openLedgerBooks();
const { db, ledger, admitter } = books;
afterAll(() => books.database.drop());

const RUNS = roundsOfRun(40, 0.5);
/** Nothing expires in these tests. */
const NOW = 0;
const PACK = 100;

type Step =
  | {
      readonly do: "correct";
      readonly pool: "subscription" | "anytime";
      readonly amount: number;
      readonly times: number;
    }
  | { readonly do: "hold"; readonly amount: number }
  | { readonly do: "settle"; readonly cost: number }
  | { readonly do: "buy" }
  | { readonly do: "refund" };

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("correct" as const),
      pool: fc.constantFrom("subscription" as const, "anytime" as const),
      amount: fc.integer({ min: -80, max: 80 }).filter((amount) => amount !== 0),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("hold" as const), amount: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("settle" as const), cost: fc.integer({ min: 0, max: 120 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("buy" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund" as const) }) },
);

/** One organization, in the ledger and in the reference. */
async function openAccount(hasPeriod: boolean) {
  const orgId = await books.found(0);
  const paper = new ReferenceLedger();
  const calls: AdmissionCall[] = [];
  const packs: string[] = [];
  if (hasPeriod) {
    const expiresAt = new Date("2090-01-01T00:00:00Z");
    await ledger.grant(books.grantOf(orgId, 50, { pool: "subscription", expiresAt }));
    paper.renew(NOW, 50, expiresAt.getTime());
  }

  return {
    orgId,
    paper,
    /** A caller that lost the answer asks again; how many of its requests arrive, and when, is unknown. */
    async correct({ pool, amount, times }: Step & { do: "correct" }): Promise<void> {
      const correction = { id: newId(), orgId, pool, amount: creditDelta(amount), description: "by hand" };
      const answers = await Promise.all(Array.from({ length: times }, () => ledger.adjust(correction)));
      const expected = paper.adjust(NOW, pool, amount);
      for (const { outcome, debtPaid } of answers) {
        expect([outcome === "adjusted", Number(debtPaid)]).toEqual([expected !== null, expected ?? 0]);
      }
    },
    async hold({ amount }: Step & { do: "hold" }): Promise<void> {
      const call = admissionOf(orgId, amount);
      const { outcome } = await admitter.admit(call);
      const granted = paper.admit(NOW, call.requestId, amount, amount);
      expect(outcome === "admitted").toBe(granted !== null);
      if (granted !== null) calls.push(call);
    },
    async settle({ cost }: Step & { do: "settle" }): Promise<void> {
      const call = calls.pop();
      if (call === undefined) return;
      await ledger.settle(settlementOf(call, credits(cost)));
      paper.settle(NOW, call.requestId, cost, "call");
    },
    async buy(): Promise<void> {
      const id = newId();
      await ledger.grant(books.grantOf(orgId, PACK, { reference: `order:${id}`, kind: "pack" }));
      await payForPack(db, { orgId, orderId: id, credits: PACK, cents: PACK });
      paper.grantAnytime(PACK);
      packs.push(id);
    },
    async refund(): Promise<void> {
      const id = packs.pop();
      if (id === undefined) return;
      await db.pool.query("insert into payment_reversals values ($1, $1, 'refund', $2)", [id, PACK]);
      await db.pool.query("select reverse_payment($1)", [id]);
      paper.takeBack(PACK);
    },
  };
}

type Opened = Awaited<ReturnType<typeof openAccount>>;

async function expectAsOnPaper({ orgId, paper }: Opened): Promise<void> {
  const { debt } = await ledger.account(orgId);
  const { held } = paper;
  expect(`${await books.balance(orgId)} owes ${debt}`).toBe(
    `${paper.subscription}+${held.subscription} ${paper.anytime}+${held.anytime} owes ${paper.debt}`,
  );
}

function perform(opened: Opened, step: Step): Promise<void> {
  switch (step.do) {
    case "correct":
      return opened.correct(step);
    case "hold":
      return opened.hold(step);
    case "settle":
      return opened.settle(step);
    default:
      return opened[step.do]();
  }
}

test("a correction counts once however often it is requested, among calls, packs, refunds and debts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(steps, { minLength: 3, maxLength: 14 }),
      async (hasPeriod, script) => {
        const opened = await openAccount(hasPeriod);
        for (const step of script) {
          await perform(opened, step);
          await expectAsOnPaper(opened);
        }
        expect((await verifyLedger(db, { orgId: opened.orgId })).faults).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
}, 60_000);

test("a correction repeated much later returns the debt it paid then and the balance of now", async () => {
  const opened = await openAccount(false);
  const { orgId } = opened;
  await opened.buy();
  await opened.hold({ do: "hold", amount: PACK });
  await opened.refund();
  const correction = { id: newId(), orgId, pool: "anytime", description: "found" } as const;
  const first = await ledger.adjust({ ...correction, amount: creditDelta(130) });
  expect([first.account.anytimeAvailable, first.debtPaid].map(Number)).toEqual([30, 100]);
  await ledger.grant(books.grantOf(orgId, 5));
  const again = await ledger.adjust({ ...correction, amount: creditDelta(130) });
  expect(again).toMatchObject({ outcome: "adjusted", entryId: first.entryId, debtPaid: credits(100) });
  expect([again.account.anytimeAvailable, again.account.debt].map(Number)).toEqual([35, 0]);
});

test("a repeated correction returns the same entry, whether it paid no debt or one credit of debt", async () => {
  const opened = await openAccount(false);
  await opened.buy();
  await opened.hold({ do: "hold", amount: 1 });
  await opened.refund();
  const correction = { orgId: opened.orgId, pool: "anytime", description: "found" } as const;
  for (const debt of [1, 0]) {
    const found = { ...correction, id: newId(), amount: creditDelta(5) };
    const [first, again] = [await ledger.adjust(found), await ledger.adjust(found)];
    expect([Number(first.debtPaid), first.entryId]).toEqual([debt, again.entryId]);
  }
  expect(await books.balance(opened.orgId)).toBe("0+0 9+1");
});

test("each organization can use the same id for one correction", async () => {
  const id = newId();
  for (const orgId of [await books.found(1), await books.found(1)]) {
    await ledger.adjust({ id, orgId, pool: "anytime", amount: creditDelta(2), description: "both" });
    expect(await books.balance(orgId)).toBe("0+0 3+0");
  }
});

test("a refused correction is not remembered: the same one succeeds once there are enough credits", async () => {
  const orgId = await books.found(1);
  const taken = { id: newId(), orgId, pool: "anytime", amount: creditDelta(-5), description: "x" } as const;
  expect((await ledger.adjust(taken)).outcome).toBe("insufficient");
  await ledger.grant(books.grantOf(orgId, 4));
  expect((await ledger.adjust(taken)).outcome).toBe("adjusted");
  expect(await books.balance(orgId)).toBe("0+0 0+0");
});
