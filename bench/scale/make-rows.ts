import type { Database } from "../../gateway/src/db/index.ts";
import { makeOrganizations, type ScaleOrganization } from "./make-organizations.ts";

/** A few organizations have most of the calls, and most organizations have a few. */
type Population = {
  readonly organizations: number;
  /** Per organization. */
  readonly calls: number;
  /** Days within the last eighty on which each of them made calls. */
  readonly activeDays: number;
};

export type MadeRows = { readonly largest: ScaleOrganization; readonly all: readonly ScaleOrganization[] };

/** Rows per statement: takes some seconds, well below the statement timeout. */
const ROWS_AT_ONCE = 50_000;
const CONNECTIONS = 2;

/** How rows are distributed: a fifth to one organization, two fifths to a hundred, two fifths to many with 40 each. */
function populationOf(rows: number): readonly Population[] {
  return [
    { organizations: 1, calls: rows / 5, activeDays: 80 },
    { organizations: 100, calls: (rows * 2) / 5 / 100, activeDays: 40 },
    { organizations: Math.floor((rows * 2) / 5 / 40), calls: 40, activeDays: 4 },
  ];
}

/** Entries in a valid hash chain, their requests, and their sums by day; all by SQL. */
export async function makeRows(db: Database, rows: number): Promise<MadeRows> {
  await makePastPartitions(db);
  const all: ScaleOrganization[] = [];
  for (const population of populationOf(rows)) {
    const made = await makeOrganizations(db, population.organizations);
    all.push(...made);
    await fill(db, made, population);
  }
  const [largest] = all;
  if (largest === undefined) throw new Error("no organization was made");
  return { largest, all };
}

/** Statements in turn over two connections, in order for each organization. */
async function fill(
  db: Database,
  organizations: readonly ScaleOrganization[],
  { calls, activeDays }: Population,
): Promise<void> {
  const together = Math.max(1, Math.floor(ROWS_AT_ONCE / calls));
  const groups: ScaleOrganization[][] = [];
  for (let at = 0; at < organizations.length; at += together)
    groups.push(organizations.slice(at, at + together));
  async function work(): Promise<void> {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      for (let done = 0; done < calls; done += ROWS_AT_ONCE) {
        const until = Math.min(done + ROWS_AT_ONCE, calls) + 1;
        await db.pool.query(APPEND_CHARGES, [
          group.map(({ id }) => id),
          group.map(({ keyId }) => keyId),
          until,
          calls,
          activeDays,
        ]);
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/** As they would exist if the gateway had run in those months. */
async function makePastPartitions(db: Database): Promise<void> {
  await db.pool.query(`
    do $$
    declare v_start timestamptz;
    begin
      for i in 0 .. 4 loop
        v_start := date_trunc('month', bursar_now(), 'UTC') - i * interval '1 month';
        execute format('create table if not exists %I partition of requests for values from (%L) to (%L)',
          'requests_' || to_char(v_start at time zone 'UTC', 'YYYY_MM'), id_at(v_start), id_at(v_start + interval '1 month'));
      end loop;
    end $$`);
}

/** $1 organizations, $2 their keys, $3 the number of the last entry to write, $4 calls in total, $5 days with calls. */
const APPEND_CHARGES = `
  with recursive start as materialized (
    -- Twelve hours of each day, from six on.
    select date_trunc('day', bursar_now(), 'UTC') - interval '80 days' + interval '6 hours' as at
  ), head as materialized (
    select a.org_id, k.key_id, a.entry_seq, a.entry_hash, a.anytime_available as balance
    from accounts a join unnest($1::uuid[], $2::uuid[]) as k (org_id, key_id) on k.org_id = a.org_id
  ), chain as (
    select org_id, key_id, entry_seq as seq, entry_hash as hash, balance, null::timestamptz as at, null::uuid as request_id
    from head
    union all
    select c.org_id, c.key_id, c.seq + 1,
      entry_hash(c.hash, c.org_id, c.seq + 1, n.at, 'charge', 'anytime', -(1 + c.seq % 5), c.balance - (1 + c.seq % 5),
        n.request_id, null, 'api-v1-chat model-' || c.seq % 10),
      c.balance - (1 + c.seq % 5), n.at, n.request_id
    from chain c cross join lateral (
      select t.at, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(c.seq % 4096), 3, '0') || '8' || lpad(to_hex(c.seq), 15, '0'))::uuid as request_id
      from (select start.at + (c.seq * $5::bigint / $4::bigint) * (80 / $5::integer) * interval '1 day'
        + (c.seq * $5::bigint % $4::bigint)::float8 / $4::bigint * interval '12 hours' as at from start) t) n
    where c.seq < $3::bigint
  ), charged as materialized (
    select *, 1 + (seq - 1) % 5 as amount, 'model-' || (seq - 1) % 10 as model from chain where at is not null
  ), entered as (
    insert into entries select org_id, seq, at, 'charge', 'anytime', -amount, balance, request_id, null,
      'api-v1-chat ' || model, hash from charged
  ), requested as (
    insert into requests select org_id, request_id, at - interval '1 s', at, 'call', 'succeeded', 'api-v1-chat', model,
      key_id, null, amount, 0, amount, 0, 0, balance, 100, 20, 3, 950, null, null, 'bench/m', null from charged
  ), summed as (
    insert into rollups select org_id, (at at time zone 'UTC')::date, key_id, null, model,
      'api-v1-chat', count(*), 0, sum(amount), 0, 100 * count(*), 20 * count(*), 3 * count(*), max(at)
    from charged group by 1, 2, 3, 5
    on conflict (org_id, day, key_id, member_id, model, endpoint) do update set
      requests = rollups.requests + excluded.requests,
      credits_charged = rollups.credits_charged + excluded.credits_charged,
      input_tokens = rollups.input_tokens + excluded.input_tokens,
      output_tokens = rollups.output_tokens + excluded.output_tokens,
      tokens_saved = rollups.tokens_saved + excluded.tokens_saved, last_at = excluded.last_at
  )
  update accounts a set entry_seq = l.seq, entry_hash = l.hash, anytime_available = l.balance
  from (select distinct on (org_id) * from charged order by org_id, seq desc) l where a.org_id = l.org_id`;
