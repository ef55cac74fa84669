import type { Database } from "../../db/index.ts";
import type { OwnFault } from "./audit-fault.ts";

/**
 * Checks, in one snapshot:
 * - grants and manual corrections against their entries, in both directions, and undone expiries against theirs;
 * - an organization's debt against what was taken back from its payments, less what it has paid off since, in
 *   adjustments that name a payment or a grant;
 * - that no anytime credits are left while there is debt.
 *
 * Entries other than charges are few and indexed.
 */
export async function loadBackingFaults(db: Database, orgIds: readonly string[]): Promise<OwnFault[]> {
  const query = { name: "audit_backing", text: BACKING, values: [orgIds] };
  const { rows } = await db.pool.query<OwnFault>(query);
  return rows;
}

/** An entry of `ledger_undo_expiry`. */
const UNDOES = "e.pool = 'subscription' and e.amount > 0 and e.reference like 'undo:%'";

const BACKING = `
  with granted as materialized (
    select org_id, coalesce(reference, id::text) as reference, created_at, pool, amount from grants
    where org_id = any($1::uuid[])
  ), entered as materialized (
    select org_id, seq, reference, created_at, pool, amount from entries
    where org_id = any($1::uuid[]) and type = 'grant'
  ), adjusted as materialized (
    select org_id, seq, reference, created_at, pool, amount from entries
    where org_id = any($1::uuid[]) and type = 'adjust'
  ), by_hand as (
    select e.org_id, e.seq, e.created_at, e.pool, e.amount, coalesce(-d.amount, 0) as debt_paid from adjusted e
    left join adjusted d on d.org_id = e.org_id and d.seq = e.seq + 1 and d.reference = 'correction ' || e.seq
    where e.reference is null
  ), corrected as (
    select * from corrections where org_id = any($1::uuid[])
  ), owed as (
    select a.org_id, a.debt,
      (select coalesce(sum(p.reversed_credits), 0) from payments p where p.org_id = a.org_id)
      + (select coalesce(sum(e.amount), 0) from adjusted e
        where e.org_id = a.org_id and e.reference is not null and not (${UNDOES})) as due
    from accounts a where a.org_id = any($1::uuid[])
  )
  select coalesce(g.org_id, e.org_id) as "orgId", 'grants' as "table", coalesce(g.reference, e.reference, 'seq ' || e.seq) as "row",
    case when e.org_id is null then 'a grant without its entry'
      when g.org_id is null then 'entry ' || e.seq || ' has no grant'
      else 'the grant and entry ' || e.seq || ' differ' end as what
  from granted g full join entered e on e.org_id = g.org_id and e.reference = g.reference
  where g.org_id is null or e.org_id is null
    or (g.pool, g.amount, g.created_at) is distinct from (e.pool, e.amount, e.created_at)
  union all
  select coalesce(c.org_id, e.org_id), 'corrections', coalesce(c.id::text, 'seq ' || e.seq),
    case when e.org_id is null then 'a correction without its entry'
      when c.org_id is null then 'entry ' || e.seq || ' has no correction'
      else 'the correction and entry ' || e.seq || ' differ' end
  from corrected c full join by_hand e on e.org_id = c.org_id and e.seq = c.seq
  where c.org_id is null or e.org_id is null
    or (c.pool, c.amount, c.created_at, c.debt_paid) is distinct from (e.pool, e.amount, e.created_at, e.debt_paid)
  union all
  select e.org_id, 'entries', 'seq ' || e.seq, 'puts back what did not expire' from adjusted e
  where ${UNDOES} and not exists (select from entries x where x.org_id = e.org_id and x.type = 'expire' and x.seq < e.seq
    and e.reference = 'undo:' || x.seq and e.amount = -x.amount)
  union all
  select org_id, 'accounts', 'account', 'debt is ' || debt || ', payments and adjustments make it ' || due
  from owed where debt <> due
  union all
  select org_id, 'accounts', 'account', anytime_available || ' anytime credits stand beside a debt of ' || debt
  from accounts where org_id = any($1::uuid[]) and debt > 0 and anytime_available > 0
  order by 1, 2, 3 limit 1000`;
