import type { Database } from "../../db/index.ts";
import { HIGHEST_ID, LOWEST_ID } from "./audit-ids.ts";

/** Accounts per statement: few enough that no long-lived snapshot slows down their updates. */
const PAGE = 1_000;

/**
 * Tables with rows of organizations, and the column with the organization's id. Each has an index that starts with it.
 */
const ORGANIZATIONS_OF: Readonly<Record<string, string>> = {
  entries: "org_id",
  grants: "org_id",
  holds: "org_id",
  organization: "id",
  payments: "org_id",
  requests: "org_id",
  rollups: "org_id",
};

type Unaccounted = { readonly orgId: string; readonly tables: readonly string[] };

/** The ids above `after`, up to and including `until`; no upper bound if that is null. */
type Range = { readonly after: string; readonly until: string | null };

/**
 * Finds organizations that have rows but no account, ordered by id; at most `most` of them. Searches the gaps between
 * one account's id and the next: one index probe per table and gap, however many rows there are.
 */
export async function loadUnaccounted(
  db: Database,
  { most, page = PAGE }: { readonly most: number; readonly page?: number },
): Promise<readonly Unaccounted[]> {
  const all: Unaccounted[] = [...(await loadUnaccountedAtEdges(db))];
  for (let after: string | null = LOWEST_ID; after !== null && all.length < most; ) {
    const until: string | null = await loadPageEnd(db, after, page);
    const ranges: Range[] = [{ after, until }];
    for (let range = ranges.pop(); range !== undefined && all.length < most; range = ranges.pop()) {
      for (const { found, behind } of await loadFirstUnaccounted(db, range)) {
        all.push(found);
        ranges.push(behind);
      }
    }
    after = until;
  }
  return all.toSorted((a, b) => (a.orgId < b.orgId ? -1 : 1)).slice(0, most);
}

/** The lowest and the highest possible id are in no gap between two ids, so they are checked separately. */
async function loadUnaccountedAtEdges(db: Database): Promise<readonly Unaccounted[]> {
  const { rows } = await db.pool.query<Unaccounted>({
    name: "audit_unaccounted_edges",
    text: UNACCOUNTED_AT_EDGES,
    values: [[LOWEST_ID, HIGHEST_ID]],
  });
  return rows;
}

async function loadPageEnd(db: Database, after: string, page: number): Promise<string | null> {
  const { rows } = await db.pool.query<{ org_id: string }>({
    name: "audit_page_end",
    text: "select org_id from accounts where org_id > $1 order by org_id offset $2 limit 1",
    values: [after, page - 1],
  });
  return rows[0]?.org_id ?? null;
}

/** For each gap between two accounts: the first organization found in it, and the rest of the gap after that. */
async function loadFirstUnaccounted(
  db: Database,
  { after, until }: Range,
): Promise<readonly { readonly found: Unaccounted; readonly behind: Range }[]> {
  const { rows } = await db.pool.query<Unaccounted & { high: string }>({
    name: "audit_unaccounted",
    text: UNACCOUNTED,
    values: [after, until],
  });
  return rows.map(({ high, ...found }) => ({
    found,
    behind: { after: found.orgId, until: high === HIGHEST_ID ? null : high },
  }));
}

/** Accounts and rows are read in one snapshot: an organization created meanwhile has both or neither. */
const UNACCOUNTED = `
  with accounted as materialized (
    select org_id from accounts where org_id > $1::uuid and ($2::uuid is null or org_id <= $2) order by org_id
  ), gaps as materialized (
    select lag(org_id, 1, $1) over w as low, org_id as high from accounted window w as (order by org_id)
    union all
    select coalesce((select org_id from accounted order by org_id desc limit 1), $1), '${HIGHEST_ID}' where $2 is null
  ), found as materialized (
    select g.high, f.org_id, f.name, rank() over (partition by g.high order by f.org_id) as place
    from gaps g cross join lateral (${Object.entries(ORGANIZATIONS_OF)
      .map(
        ([table, id]) => `
      (select '${table}' as name, x.${id} as org_id from ${table} x where x.${id} > g.low and x.${id} < g.high
        order by x.${id} limit 1)`,
      )
      .join(" union all")}) f
  )
  select high, org_id as "orgId", array_agg(name order by name) as tables from found where place = 1
  group by high, org_id order by org_id`;

const UNACCOUNTED_AT_EDGES = `
  select i.org_id as "orgId", array_agg(f.name order by f.name) as tables
  from unnest($1::uuid[]) as i (org_id) cross join lateral (${Object.entries(ORGANIZATIONS_OF)
    .map(
      ([table, id]) => `
    select '${table}' as name where exists (select 1 from ${table} x where x.${id} = i.org_id)`,
    )
    .join(" union all")}) f
  where not exists (select 1 from accounts a where a.org_id = i.org_id)
  group by i.org_id`;
