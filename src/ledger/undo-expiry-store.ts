import type { Database } from "../db/index.ts";
import { type Credits, creditsFromSql } from "../kit/index.ts";

type WrongExpiry = {
  readonly orgId: string;
  readonly name: string;
  /** The entry of the expiry, as the balance view names it. */
  readonly entryId: string;
  readonly amount: Credits;
  /** over: its period has ended by now: nothing is put back. */
  readonly outcome: "found" | "reopened" | "joined" | "over";
};

/** Credits that expired in a jump of the clock and were not put back, of one organization or of all. */
export async function loadWrongExpiries(db: Database, orgId: string | null): Promise<WrongExpiry[]> {
  const { rows } = await db.pool.query<{
    id: string;
    name: string;
    seq: string;
    amount: string;
    over: boolean;
  }>(
    `select o.id, o.name, w.seq, w.amount, w.ends_at <= bursar_now() as over
     from organization o cross join lateral wrong_expiries(o.id) w
     where $1::uuid is null or o.id = $1 order by o.id, w.seq`,
    [orgId],
  );
  return rows.map(({ id, name, seq, amount, over }) => {
    const outcome = over ? "over" : "found";
    return { orgId: id, name, entryId: seq, amount: creditsFromSql(amount), outcome };
  });
}

/** Puts them back. Each expiry is undone once. */
export async function undoExpiries(
  db: Database,
  orgId: string,
): Promise<readonly Omit<WrongExpiry, "orgId" | "name">[]> {
  const { rows } = await db.pool.query<{ seq: string; amount: string; outcome: WrongExpiry["outcome"] }>(
    "select * from ledger_undo_expiry(expecting($2, $1)::uuid)",
    [orgId, db.time.text()],
  );
  return rows.map(({ seq, amount, outcome }) => ({ entryId: seq, amount: creditsFromSql(amount), outcome }));
}
