import type { Database } from "../db/index.ts";
import type { Pool } from "../ledger/index.ts";

type EntryType = "grant" | "charge" | "expire" | "adjust";

type StatementEntry = {
  readonly seq: number;
  readonly createdAt: Date;
  readonly type: EntryType;
  readonly pool: Pool;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly requestId: string | null;
  readonly description: string;
};

export type StatementQuery = {
  readonly orgId: string;
  /** Only entries before this one; null starts with the newest. */
  readonly beforeSeq: number | null;
  readonly pool: Pool | null;
  readonly type: EntryType | null;
  readonly limit: number;
};

export type Statement = {
  readonly entries: readonly StatementEntry[];
  /** Where to continue; null at the ledger's beginning. */
  readonly nextBeforeSeq: number | null;
};

/** Most entries that one page scans if few of them match; the next page continues there. */
const MAX_LOOKED_AT = 5_000;

const COLUMNS = "seq, created_at, type, pool, amount, balance_after, request_id, description";
/** Reads by primary key, newest first: as fast for a million entries as for ten. */
const ALL = `select ${COLUMNS} from entries where org_id = $1 and seq < coalesce($2, 9223372036854775807)
  order by seq desc limit $3`;
/** Entries other than charges are few and have their own index. */
const RARE = `select ${COLUMNS} from entries
  where org_id = $1 and seq < coalesce($2, 9223372036854775807) and type = $4 and type <> 'charge'
  order by seq desc limit $3`;

export function statementSql(isRare: boolean): string {
  return `with looked as materialized (${isRare ? RARE : ALL}), matching as (
      select * from looked where ($4::text is null or type = $4) and ($5::text is null or pool = $5)
      order by seq desc limit $6)
    select m.seq::float8 as seq, m.created_at as "createdAt", m.type, m.pool, m.amount::float8 as amount,
      m.balance_after::float8 as "balanceAfter", m.request_id as "requestId", m.description,
      (select min(seq)::float8 from looked) as "lastSeq", (select count(*)::integer from looked) as looked
    from (values (1)) one left join matching m on true order by m.seq desc`;
}

export async function loadStatement(db: Database, query: StatementQuery): Promise<Statement> {
  const { orgId, beforeSeq, pool, type, limit } = query;
  const isRare = type !== null && type !== "charge";
  const isFiltered = pool !== null || type === "charge";
  const looked = isFiltered ? MAX_LOOKED_AT : limit;
  const { rows } = await db.pool.query<StatementEntry & { lastSeq: number | null; looked: number }>(
    statementSql(isRare),
    [orgId, beforeSeq, looked, type, pool, limit],
  );
  // One row of nulls, if nothing matches, says how much was looked at.
  const entries = rows
    .filter(({ seq }) => seq !== null)
    .map(({ lastSeq: _, looked: _looked, ...entry }) => entry);
  const lastLooked = rows[0]?.looked === looked ? rows[0].lastSeq : null;
  const next = entries.length === limit ? (entries.at(-1)?.seq ?? null) : lastLooked;
  return { entries, nextBeforeSeq: next !== null && next > 1 ? next : null };
}
