import type { Database } from "../db/index.ts";
import { type Credits, creditsFromSql } from "../kit/index.ts";

type UndoneExpiry = {
  /** The entry of the expiry, as the balance view names it. */
  readonly entryId: string;
  readonly amount: Credits;
  /** over: its period has ended since, and no other is open: nothing was put back. */
  readonly outcome: "reopened" | "joined" | "over";
};

/** Puts back credits that expired in a jump of the clock. Each expiry is undone once. */
export async function undoExpiries(db: Database, orgId: string): Promise<readonly UndoneExpiry[]> {
  const { rows } = await db.pool.query<{ seq: string; amount: string; outcome: UndoneExpiry["outcome"] }>(
    "select * from ledger_undo_expiry(expecting($2, $1)::uuid)",
    [orgId, db.time.text()],
  );
  return rows.map(({ seq, amount, outcome }) => ({ entryId: seq, amount: creditsFromSql(amount), outcome }));
}

/** Organizations with something to undo. */
export async function loadWronglyExpired(
  db: Database,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const { rows } = await db.pool.query<{ id: string; name: string }>(
    "select id, name from organization o where exists (select from wrong_expiries(o.id)) order by id",
  );
  return rows;
}
