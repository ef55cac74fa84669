import { afterAll, afterEach, beforeEach, expect } from "bun:test";
import { DAY_MS } from "../gateway/src/kit/index.ts";
import { verifyLedger } from "../gateway/src/ledger/audit/audit.ts";
import { openLedgerBooks } from "./ledger-books.ts";

/** For each test an organization with credits that expire, in a database whose clock can jump; it is put right after. */
export async function openJumpingBooks(setOrganization: (id: string) => void) {
  const books = await openLedgerBooks();
  const { database, db, ledger } = books;
  let orgId = "";
  let jumpedMs = 0;

  beforeEach(async () => {
    orgId = await books.found(100);
    setOrganization(orgId);
    const expiresAt = new Date(Date.now() + 30 * DAY_MS);
    await ledger.grant(books.grantOf(orgId, 500, { pool: "subscription", expiresAt }));
  });
  afterEach(async () => {
    await jump(-jumpedMs);
    expect((await verifyLedger(db, { orgId })).faults).toEqual([]);
  });
  afterAll(() => database.drop());

  async function jump(ms: number): Promise<void> {
    jumpedMs += ms;
    await database.jumpClock(ms);
  }

  async function entryTypes(): Promise<string> {
    const { rows } = await db.pool.query<{ types: string }>(
      "select string_agg(type, ' ' order by seq) as types from entries where org_id = $1",
      [orgId],
    );
    return rows[0]?.types ?? "";
  }

  return { ...books, books, jump, entryTypes };
}
