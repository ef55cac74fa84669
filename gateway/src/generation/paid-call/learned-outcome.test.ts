import { afterAll, beforeEach, expect, test } from "bun:test";
import { openLedgerBooks } from "../../../../test/ledger-books.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../../test/paid-items.ts";
import type { AdmissionCall } from "../../admission/index.ts";
import { type Clock, ClosedForGood, credits } from "../../kit/index.ts";
import type { Ledger, Settlement } from "../../ledger/index.ts";
import { settleAll } from "../../ledger/store.ts";
import { silentLog } from "../../telemetry/index.ts";
import { createLearnedOutcomes } from "./learned-outcome.ts";
import { createSureSettler } from "./settle-surely.ts";

const books = await openLedgerBooks();
afterAll(() => books.database.drop());

/** Jumps so far at each reading that a settlement is tried once, and a release twice. */
function hurriedClock(): Clock {
  let ms = 0;
  return { nowMs: () => ms, elapsedMs: () => (ms += 40_000) };
}

let call: AdmissionCall;
beforeEach(async () => {
  call = admissionOf(await books.found(100), 40);
  await books.admitter.admit(call);
});

/** What is recorded of a call whose client was told that its outcome is unknown, because the answer was lost. */
async function learnedOf(settlement: Settlement, isCommitted: boolean): Promise<string[]> {
  const seen: string[] = [];
  let costless = 0;
  const ledger: Ledger = {
    ...books.ledger,
    async settle(given) {
      // The first answer to a release is lost too.
      const isAnswered = given.cost === 0 && costless++ > 0;
      if (isAnswered) return books.ledger.settle(given);
      if (isCommitted) await books.ledger.settle(given);
      throw new Error("the answer was lost");
    },
  };
  const known = Promise.withResolvers<void>();
  const learned = createLearnedOutcomes({
    log: { ...silentLog, error: (event) => void seen.push(event) },
    metrics: {
      ended: (endpoint, status, charged) => void seen.push(`${endpoint} ${status} ${charged}`),
      writtenOff: (amount) => void seen.push(`written off ${amount}`),
    },
  });
  const settler = createSureSettler({
    ledger,
    log: silentLog,
    clock: hurriedClock(),
    giveUpAfterMs: 30_000,
    learned(...outcome) {
      learned(...outcome);
      known.resolve();
    },
  });
  await expect(settler.settle(settlement)).rejects.toThrow("outcome unknown");
  await known.promise;
  return seen;
}

test("a call whose charge was committed is counted as succeeded, with its charge", async () => {
  const settlement = settlementOf(call, credits(30));
  expect(await learnedOf(settlement, true)).toEqual([`${call.endpoint} succeeded 30`]);
});

test("a cancelled call whose charge was committed is counted as cancelled, with its charge", async () => {
  const settlement = settlementOf(call, credits(30), { status: "cancelled" });
  expect(await learnedOf(settlement, true)).toEqual([`${call.endpoint} cancelled 30`]);
});

test("a failed call whose charge was committed is counted as failed, with its charge", async () => {
  const settlement = settlementOf(call, credits(30), { status: "failed" });
  expect(await learnedOf(settlement, true)).toEqual([`${call.endpoint} failed 30`]);
});

test("a call of cost 0 that was recorded is counted as succeeded", async () => {
  const settlement = settlementOf(call, credits(0));
  expect(await learnedOf(settlement, true)).toEqual([`${call.endpoint} succeeded 0`]);
});

test("a call of cost 0 that was not recorded is counted as failed", async () => {
  expect(await learnedOf(settlementOf(call, credits(0)), false)).toEqual([`${call.endpoint} failed 0`]);
});

test("credits that the committed charge could not take are logged and counted as written off", async () => {
  expect(await learnedOf(settlementOf(call, credits(90)), true)).toEqual([
    "credits_written_off",
    "written off 10",
    `${call.endpoint} succeeded 80`,
  ]);
});

test("a call that was not charged is counted as failed", async () => {
  expect(await learnedOf(settlementOf(call, credits(30)), false)).toEqual([`${call.endpoint} failed 0`]);
});

test("a call that the sweeper ended is counted as failed", async () => {
  await settleAll(books.db, "sweeper", [releaseOf(call)]);
  expect(await learnedOf(settlementOf(call, credits(30)), false)).toEqual([`${call.endpoint} failed 0`]);
});

test("a call that had failed is not counted again", async () => {
  expect(await learnedOf(releaseOf(call), false)).toEqual([]);
});

test("a call that could not even be released has no learned outcome", async () => {
  const told: string[] = [];
  const gaveUp = Promise.withResolvers<void>();
  const settler = createSureSettler({
    ledger: { ...books.ledger, settle: () => Promise.reject(new ClosedForGood("closed")) },
    log: { ...silentLog, error: () => gaveUp.resolve() },
    clock: hurriedClock(),
    giveUpAfterMs: 30_000,
    learned: () => void told.push("learned"),
  });
  await expect(settler.settle(settlementOf(call, credits(30)))).rejects.toThrow("outcome unknown");
  await gaveUp.promise;
  await Bun.sleep(1);
  expect(told).toEqual([]);
});
