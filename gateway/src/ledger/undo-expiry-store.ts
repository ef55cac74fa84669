import type { Database } from "../db/index.ts";
import type { Credits } from "../kit/index.ts";

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
  const { rows } = await db.pool.query<WrongExpiry>(
    `select o.id as "orgId", o.name, w.seq as "entryId", w.amount::float8 as amount,
       case when w.ends_at <= bursar_now() then 'over' else 'found' end as outcome
     from organization o cross join lateral wrong_expiries(o.id) w
     where $1::uuid is null or o.id = $1 order by o.id, w.seq`,
    [orgId],
  );
  return rows;
}

/** Puts them back. Each expiry is undone once. */
export async function undoExpiries(db: Database, orgId: string): Promise<WrongExpiry[]> {
  const { rows } = await db.pool.query<WrongExpiry>(
    `select o.id as "orgId", o.name, u.seq as "entryId", u.amount::float8 as amount, u.outcome
     from organization o cross join lateral ledger_undo_expiry(expecting($2, o.id::text)::uuid) u where o.id = $1`,
    [orgId, db.time.text()],
  );
  return rows;
}
