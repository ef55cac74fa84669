import { afterAll, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { openLedgerBooks } from "../../../test/ledger-books.ts";
import { ledgerRows } from "../../../test/ledger-rows.ts";
import { admissionOf, settlementOf } from "../../../test/paid-items.ts";
import { roundsOfRun } from "../../../test/rounds-of-run.ts";
import { runJobs } from "../../../test/run-jobs.ts";
import { admitTogether } from "../admission/admit.ts";
import type { AdmissionCall } from "../admission/index.ts";
import { admitAll } from "../admission/store.ts";
import { credits, newId } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { settleTogether } from "./ledger.ts";
import { settleAll } from "./store.ts";

const books = await openLedgerBooks();
const { db, lease, ledger, grantOf, found } = books;
afterAll(() => books.database.drop());
beforeEach(() => books.database.freezeClock(new Date("2031-01-01T23:58:00Z")));

const RUNS = roundsOfRun(100, 0.4);
const KEY_IDS = [newId(), newId()];

type Step =
  | { readonly do: "grant"; readonly amount: number; readonly forMs: number | null }
  | {
      readonly do: "admit";
      readonly amount: number;
      readonly more: number;
      readonly sharesBalance: boolean;
      readonly wish: Partial<AdmissionCall>;
    }
  | {
      readonly do: "settle";
      readonly which: number;
      readonly cost: number;
      readonly failed: boolean;
      readonly measured: string | null;
    }
  | { readonly do: "wait"; readonly ms: number };

const wishes: fc.Arbitrary<Partial<AdmissionCall>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ requestsPerMinute: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ inFlight: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "job" } as const) },
  { weight: 1, arbitrary: fc.record({ keyInFlight: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ memberUserId: fc.constantFrom(...KEY_IDS) }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("a", "b")
      .map((key) => ({ idempotency: { key, fingerprint: new Uint8Array(32) } })),
  },
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("grant" as const),
      amount: fc.integer({ min: 1, max: 60 }),
      forMs: fc.constantFrom(null, 90_000),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("admit" as const),
      amount: fc.integer({ min: 0, max: 30 }),
      more: fc.constantFrom(0, 0, 5, 100),
      sharesBalance: fc.boolean(),
      wish: wishes,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      which: fc.nat(7),
      cost: fc.integer({ min: 0, max: 50 }),
      failed: fc.boolean(),
      measured: fc.constantFrom(null, null, '{"reasoning_tokens":3}'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 20_000, 70_000, 100_000),
    }),
  },
);

/** The same step for both organizations: one uses the short function if it can, the other never does. */
async function perform(
  step: Step,
  twins: readonly [string, string],
  calls: AdmissionCall[],
): Promise<unknown[]> {
  const [short, long] = twins;
  switch (step.do) {
    case "grant": {
      const expiresAt = step.forMs === null ? null : new Date((await databaseNowMs()) + step.forMs);
      const pool = expiresAt === null ? "anytime" : "subscription";
      const grants = twins.map((orgId) => ledger.grant(grantOf(orgId, step.amount, { pool, expiresAt })));
      return (await Promise.all(grants)).map(({ outcome }) => outcome);
    }
    case "admit": {
      const call = admissionOf(short, step.amount, {
        full: credits(step.amount + step.more),
        keyId: KEY_IDS[0],
        sharesBalance: step.sharesBalance,
        ...step.wish,
      });
      calls.push(call);
      return [
        (await admitTogether(db, lease.current, [call]))[0],
        (await admitAll(db, lease.current, [{ ...call, orgId: long }], false))[0],
      ];
    }
    case "settle": {
      const call = calls.at(-1 - step.which);
      if (call === undefined) return [null, null];
      const settlement = settlementOf(call, credits(step.cost), {
        status: step.failed ? "failed" : "succeeded",
        memberUserId: call.memberUserId,
        measured: step.measured,
        reply: call.idempotency === null || step.failed ? null : "{}",
      });
      return [
        (await settleTogether(db, [settlement]))[0],
        (await settleAll(db, "call", [{ ...settlement, orgId: long }]))[0],
      ];
    }
    case "wait":
      await books.database.advanceClock(step.ms);
      return [null, null];
  }
}

async function databaseNowMs(): Promise<number> {
  const { rows } = await db.pool.query<{ now: Date }>("select bursar_now() as now");
  return rows[0]?.now.getTime() ?? 0;
}

test(
  "a single call gets the same answer and leaves the same rows through the short and the long function",
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (script) => {
        const twins = [await found(20), await found(20)] as const;
        const calls: AdmissionCall[] = [];
        for (const step of script) {
          const [short, long] = await perform(step, twins, calls);
          expect(short).toEqual(long);
        }
        expect(await ledgerRows(db, twins[0])).toEqual(await ledgerRows(db, twins[1]));
        await runJobs(db);
        for (const orgId of twins) expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
      }),
      { numRuns: RUNS },
    ),
  60_000,
);
