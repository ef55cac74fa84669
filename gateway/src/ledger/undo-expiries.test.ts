import { describe, expect, test } from "bun:test";
import { openJumpingBooks } from "../../../test/ledger-jumps.ts";
import { admissionOf, releaseOf, settlementOf } from "../../../test/paid-items.ts";
import { credits, DAY_MS } from "../kit/index.ts";
import { verifyLedger } from "./audit/audit.ts";
import { undoExpiries } from "./undo-expiry-store.ts";

const JUMP_MS = 40 * DAY_MS;

let orgId: string;
const { books, database, db, ledger, admitter, jump, entryTypes } = await openJumpingBooks((id) => {
  orgId = id;
});

/** As a version did that told no expected time. */
const askAsBefore = () => db.pool.query("select ledger_account($1)", [orgId]);

describe("what expired in a jump under a version before", () => {
  test("is put back into its period, once", async () => {
    await jump(JUMP_MS);
    await askAsBefore();
    await jump(-JUMP_MS);
    expect(await books.balance(orgId)).toBe("0+0 100+0");
    const entryId = "3";
    expect(await undoExpiries(db, orgId)).toMatchObject([
      { entryId, amount: credits(500), outcome: "reopened" },
    ]);
    expect(await undoExpiries(db, orgId)).toEqual([]);
    expect(await books.balance(orgId)).toBe("500+0 100+0");
    expect(await entryTypes()).toBe("grant grant expire adjust");
    await db.pool.query("alter table entries disable trigger all");
    await db.pool.query(
      "update entries set reference = 'undo:1' where org_id = $1 and reference = 'undo:3'",
      [orgId],
    );
    const { faults } = await verifyLedger(db, { orgId });
    expect(faults.map(({ what }) => what)).toContain("puts back what did not expire");
    await db.pool.query(
      "update entries set reference = 'undo:3' where org_id = $1 and reference = 'undo:1'",
      [orgId],
    );
  });

  test("is put back with what running calls held of it, ended before or after", async () => {
    const calls = [admissionOf(orgId, 50), admissionOf(orgId, 60)] as const;
    for (const call of calls) await admitter.admit(call);
    await jump(JUMP_MS);
    await askAsBefore();
    await jump(-JUMP_MS);
    await ledger.settle(settlementOf(calls[0], credits(5)));
    expect((await undoExpiries(db, orgId)).map(({ amount }) => Number(amount))).toEqual([390, 45]);
    await ledger.settle(settlementOf(calls[1], credits(6)));
    expect(await books.balance(orgId)).toBe("489+0 100+0");
  });

  test("goes into the period that was opened meanwhile", async () => {
    await jump(JUMP_MS);
    await askAsBefore();
    const expiresAt = new Date(Date.now() + 60 * DAY_MS);
    await ledger.grant(books.grantOf(orgId, 20, { pool: "subscription", expiresAt }));
    await jump(-JUMP_MS);
    expect(await undoExpiries(db, orgId)).toMatchObject([{ outcome: "joined" }]);
    expect(await books.balance(orgId)).toBe("520+0 100+0");
  });

  test("goes back to its own period if the one that was opened meanwhile is over", async () => {
    await jump(JUMP_MS);
    await askAsBefore();
    await jump(-JUMP_MS);
    const expiresAt = new Date(Date.now() + 10 * DAY_MS);
    await ledger.grant(books.grantOf(orgId, 20, { pool: "subscription", expiresAt }));
    await database.advanceClock(11 * DAY_MS);
    expect(await undoExpiries(db, orgId)).toMatchObject([{ outcome: "reopened" }]);
    expect(await books.balance(orgId)).toBe("500+0 100+0");
    await database.advanceClock(-11 * DAY_MS);
  });

  test("stays where its period is over by now", async () => {
    await jump(JUMP_MS);
    await askAsBefore();
    await jump(-JUMP_MS);
    await ledger.grant(books.grantOf(orgId, 1));
    await database.advanceClock(31 * DAY_MS);
    expect(await undoExpiries(db, orgId)).toMatchObject([{ outcome: "over" }]);
    await database.advanceClock(-31 * DAY_MS);
    expect(await books.balance(orgId)).toBe("0+0 101+0");
  });

  test("is all that is put back: not what ended in its time, nor what a new plan ended", async () => {
    const other = await books.found(1);
    for (let seq = 2; seq < 6; seq++) await ledger.grant(books.grantOf(other, 1));
    const expiresAt = new Date(Date.now() + 30 * DAY_MS);
    await ledger.grant(books.grantOf(other, 1, { pool: "subscription", expiresAt }));
    await database.advanceClock(31 * DAY_MS);
    // The other's expires under the number that a charge has here, before what the new plan ended.
    for (const each of [orgId, other]) await ledger.account(each);
    const at = async (ms: number) => new Date(Date.now() + 31 * DAY_MS + ms);
    const renewal = { orgId, amount: credits(9), reference: null, description: "test" };
    const running = admissionOf(orgId, 5);
    await ledger.renew({ ...renewal, startsAt: await at(-1000), endsAt: await at(DAY_MS) });
    await admitter.admit(running);
    await ledger.renew({ ...renewal, startsAt: await at(-500), endsAt: await at(DAY_MS) });
    const charged = admissionOf(orgId, 1);
    await admitter.admit(charged);
    await ledger.settle(settlementOf(charged, credits(1)));
    await ledger.settle(releaseOf(running));
    expect(await entryTypes()).toBe("grant grant expire grant expire grant charge expire");
    expect(await undoExpiries(db, orgId)).toEqual([]);
    await database.advanceClock(-31 * DAY_MS);
  });

  test("is all that is put back also after a clock that went back for one call", async () => {
    const callIn = async (ms: number) => {
      const call = admissionOf(orgId, 1);
      await jump(ms);
      await admitter.admit(call);
      await ledger.settle(settlementOf(call, credits(1)));
      await jump(-ms);
      return (await undoExpiries(db, orgId)).filter(({ outcome }) => outcome !== "over");
    };
    await database.advanceClock(31 * DAY_MS);
    await ledger.account(orgId);
    const at = (ms: number) => new Date(Date.now() + 31 * DAY_MS + ms);
    const month = {
      orgId,
      amount: credits(500),
      reference: null,
      description: "test",
      endsAt: at(30 * DAY_MS),
    };
    await ledger.renew({ ...month, startsAt: at(-2000) });
    expect([await callIn(-2 * DAY_MS), await books.balance(orgId)]).toEqual([[], "499+0 100+0"]);
    // Another plan in the middle of the month, beside a call that goes on.
    const running = admissionOf(orgId, 5);
    await admitter.admit(running);
    await ledger.renew({ ...month, amount: credits(9), startsAt: at(-1000) });
    await ledger.settle(releaseOf(running));
    expect([await callIn(-90_000), await books.balance(orgId)]).toEqual([[], "8+0 100+0"]);
    await database.advanceClock(-31 * DAY_MS);
  });

  test("is not undone while the time is doubted", async () => {
    await jump(JUMP_MS);
    await expect(undoExpiries(db, orgId)).rejects.toThrow("doubted");
  });
});
