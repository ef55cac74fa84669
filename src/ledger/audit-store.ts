import type { Database } from "../db/index.ts";
import { assert } from "../kit/index.ts";

/** Where a replay of an organization's entries stands. */
export type ReplayState = {
  readonly seq: number;
  readonly hash: Buffer;
  readonly subscription: number;
  readonly anytime: number;
};

export type EntryFault = { readonly seq: number; readonly what: string };

export type ReplayChunk = {
  readonly state: ReplayState;
  readonly entries: number;
  readonly faults: readonly EntryFault[];
  /** Credits charged per UTC day in this chunk. */
  readonly chargedByDay: ReadonlyMap<string, number>;
};

type ChunkRow = {
  entries: string;
  seq: string | null;
  hash: Buffer | null;
  subscription: string | null;
  anytime: string | null;
  faults: { seq: number; what: string }[] | null;
  charged: Record<string, number> | null;
};

/** Replays the next entries in one short statement: gaps, hashes and running balances. */
export async function replayChunk(
  db: Database,
  orgId: string,
  from: ReplayState,
  limit: number,
): Promise<ReplayChunk> {
  const result = await db.pool.query<ChunkRow>({
    name: "audit_replay",
    text: `
      with chunk as materialized (
        select * from entries where org_id = $1 and seq > $2 order by seq limit $6
      ), replayed as (
        select c.*, lag(hash, 1, $3::bytea) over w as previous, lag(seq, 1, $2::bigint) over w as previous_seq,
          $4::bigint + sum(amount) filter (where pool = 'subscription') over w as subscription_sum,
          $5::bigint + sum(amount) filter (where pool = 'anytime') over w as anytime_sum
        from chunk c window w as (order by seq)
      ), judged as (
        select seq, hash, type, amount, created_at,
          coalesce(subscription_sum, $4::bigint) as subscription, coalesce(anytime_sum, $5::bigint) as anytime,
          case
            when seq <> previous_seq + 1 then 'entries before it are missing'
            when hash <> entry_hash(previous, org_id, seq, created_at, type, pool, amount, balance_after,
              request_id, reference, description) then 'the row does not match its hash'
            when balance_after <> case pool when 'subscription' then subscription_sum else anytime_sum end
              then 'balance_after does not follow from the entries before it'
          end as fault
        from replayed
      ), days as (
        select (created_at at time zone 'UTC')::date::text as day, -sum(amount) as charged
        from judged where type = 'charge' group by 1
      )
      select (select count(*) from judged) as entries, last.seq, last.hash, last.subscription, last.anytime,
        (select json_agg(json_build_object('seq', f.seq, 'what', f.fault))
          from (select seq, fault from judged where fault is not null order by seq limit 20) f) as faults,
        (select json_object_agg(day, charged) from days) as charged
      from (values (1)) as one left join lateral (select * from judged order by seq desc limit 1) last on true`,
    values: [orgId, from.seq, from.hash, from.subscription, from.anytime, limit],
  });
  const row = result.rows[0];
  assert(row, "a chunk is answered");
  return {
    entries: Number(row.entries),
    state:
      row.seq === null || row.hash === null
        ? from
        : {
            seq: Number(row.seq),
            hash: row.hash,
            subscription: Number(row.subscription),
            anytime: Number(row.anytime),
          },
    faults: row.faults ?? [],
    chargedByDay: new Map(Object.entries(row.charged ?? {})),
  };
}

export type AccountTruth = {
  readonly entrySeq: number;
  readonly entryHash: Buffer;
  readonly subscription: number;
  readonly anytime: number;
  readonly negative: boolean;
  readonly heldSubscription: number;
  readonly heldAnytime: number;
  readonly holdsSubscription: number;
  readonly holdsAnytime: number;
  readonly callsInFlight: number;
  readonly jobsInFlight: number;
  readonly callHolds: number;
  readonly jobHolds: number;
  readonly rollupsByDay: ReadonlyMap<string, number>;
  readonly newestSeq: number;
};

/** Account, holds and rollups in one snapshot, so that a running system can be checked. */
export async function loadAccountTruth(db: Database, orgId: string): Promise<AccountTruth> {
  const result = await db.pool.query({
    name: "audit_account",
    text: `
      select a.entry_seq, a.entry_hash, a.subscription_available + a.subscription_held as subscription,
        a.anytime_available + a.anytime_held as anytime, a.subscription_held, a.anytime_held,
        least(a.subscription_available, a.subscription_held, a.anytime_available, a.anytime_held, a.debt) < 0 as negative,
        a.calls_in_flight, a.jobs_in_flight, h.subscription as holds_subscription, h.anytime as holds_anytime,
        h.calls, h.jobs,
        (select json_object_agg(day, charged) from (
          select day::text, sum(credits_charged) as charged from rollups where org_id = $1 group by day
          having sum(credits_charged) <> 0) d) as rollups,
        (select max(seq) from entries where org_id = $1) as newest_seq
      from accounts a, lateral (
        select coalesce(sum(subscription), 0) as subscription, coalesce(sum(anytime), 0) as anytime,
          count(*) filter (where kind = 'call') as calls, count(*) filter (where kind = 'job') as jobs
        from holds where org_id = $1) h
      where a.org_id = $1`,
    values: [orgId],
  });
  const row = result.rows[0];
  assert(row, `no account for organization ${orgId}`);
  return {
    entrySeq: Number(row.entry_seq),
    entryHash: row.entry_hash,
    subscription: Number(row.subscription),
    anytime: Number(row.anytime),
    negative: row.negative,
    heldSubscription: Number(row.subscription_held),
    heldAnytime: Number(row.anytime_held),
    holdsSubscription: Number(row.holds_subscription),
    holdsAnytime: Number(row.holds_anytime),
    callsInFlight: row.calls_in_flight,
    jobsInFlight: row.jobs_in_flight,
    callHolds: Number(row.calls),
    jobHolds: Number(row.jobs),
    rollupsByDay: new Map(Object.entries((row.rollups ?? {}) as Record<string, number>)),
    newestSeq: Number(row.newest_seq ?? 0),
  };
}

/** Compares the next requests with the charges that name them; answers where it stopped. */
export async function compareRequests(
  db: Database,
  orgId: string,
  afterId: string,
  limit: number,
): Promise<{ lastId: string | null; faults: { requestId: string; what: string }[] }> {
  const result = await db.pool.query<{
    last_id: string | null;
    faults: { request_id: string; what: string }[] | null;
  }>({
    name: "audit_requests",
    text: `
      with chunk as materialized (
        select request_id, charged_subscription, charged_anytime from requests
        where org_id = $1 and request_id > $2 order by request_id limit $3
      ), last as (select request_id as id from chunk order by request_id desc limit 1)
      , charges as (
        select request_id, -coalesce(sum(amount) filter (where pool = 'subscription'), 0) as subscription,
          -coalesce(sum(amount) filter (where pool = 'anytime'), 0) as anytime
        from entries where org_id = $1 and type = 'charge' and request_id > $2
          and request_id <= coalesce((select id from last), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        group by request_id
      ), compared as (
        select coalesce(r.request_id, c.request_id) as request_id,
          case when r.request_id is null then 'a charge without a request row'
            else 'the request row and its charges differ' end as what
        from chunk r full join charges c on c.request_id = r.request_id
        where r.request_id is null or r.charged_subscription <> coalesce(c.subscription, 0)
          or r.charged_anytime <> coalesce(c.anytime, 0)
      )
      select (select id from last) as last_id,
        (select json_agg(x) from (select * from compared order by request_id limit 20) x) as faults`,
    values: [orgId, afterId, limit],
  });
  const row = result.rows[0];
  assert(row, "a comparison is answered");
  return {
    lastId: row.last_id,
    faults: (row.faults ?? []).map((fault) => ({ requestId: fault.request_id, what: fault.what })),
  };
}

/** All organizations with an account, in pages. */
export async function loadAccountIds(db: Database, afterId: string | null, limit: number): Promise<string[]> {
  const result = await db.pool.query<{ org_id: string }>(
    "select org_id from accounts where $1::uuid is null or org_id > $1 order by org_id limit $2",
    [afterId, limit],
  );
  return result.rows.map((row) => row.org_id);
}

export async function loadCheckpoint(db: Database, orgId: string): Promise<ReplayState | null> {
  const result = await db.pool.query(
    "select seq, hash, subscription, anytime from audit_checkpoints where org_id = $1",
    [orgId],
  );
  const row = result.rows[0];
  if (!row) return null;
  return {
    seq: Number(row.seq),
    hash: row.hash,
    subscription: Number(row.subscription),
    anytime: Number(row.anytime),
  };
}

export async function saveCheckpoint(db: Database, orgId: string, state: ReplayState): Promise<void> {
  await db.pool.query(
    `insert into audit_checkpoints values ($1, $2, $3, $4, $5, bursar_now())
     on conflict (org_id) do update set seq = excluded.seq, hash = excluded.hash,
       subscription = excluded.subscription, anytime = excluded.anytime, verified_at = excluded.verified_at`,
    [orgId, state.seq, state.hash, state.subscription, state.anytime],
  );
}
