import { type Database, isReadOnly, plainColumn } from "../../db/index.ts";
import { assert } from "../../kit/index.ts";
import type { EntryFault } from "./audit-fault.ts";

/** How far the replay of an organization's entries has come. */
export type ReplayState = {
  readonly seq: number;
  readonly hash: Buffer;
  readonly subscription: number;
  readonly anytime: number;
};

export type ReplayChunk = {
  readonly state: ReplayState;
  readonly entries: number;
  readonly faults: readonly EntryFault[];
  /** Credits charged per UTC day in this chunk. */
  readonly chargedByDay: ReadonlyMap<string, number>;
};

type ChunkRow = ReplayState &
  Pick<ReplayChunk, "entries" | "faults"> & {
    readonly orgId: string;
    readonly charged: Readonly<Record<string, number>>;
  };

/** The entries still to replay: those after `state`, up to `untilSeq`. Newer ones are ignored. */
type ReplayPart = {
  readonly orgId: string;
  readonly state: ReplayState;
  readonly untilSeq: string;
};

/**
 * Replays the next entries of several organizations, each from its own state, in one short statement, and checks for
 * gaps, hashes and running balances. At most `limit` entries each; an organization with no entries left is not in the
 * result.
 */
export async function replayChunks(
  db: Database,
  parts: readonly ReplayPart[],
  limit: number,
): Promise<ReadonlyMap<string, ReplayChunk>> {
  const states = parts.map(({ state }) => state);
  const result = await db.pool.query<ChunkRow>({
    name: "audit_replay",
    text: REPLAY,
    values: [
      plainColumn(parts, "orgId"),
      plainColumn(states, "seq"),
      states.map(({ hash }) => hash),
      plainColumn(states, "subscription"),
      plainColumn(states, "anytime"),
      plainColumn(parts, "untilSeq"),
      limit,
    ],
  });
  return new Map(
    result.rows.map(({ orgId, entries, faults, charged, ...state }) => [
      orgId,
      { entries, state, faults, chargedByDay: new Map(Object.entries(charged)) },
    ]),
  );
}

const REPLAY = `
  with replayed as (
    select e.*, lag(e.hash, 1, f.hash) over w as previous, lag(e.seq, 1, f.seq) over w as previous_seq,
      lead(e.seq) over w is null as is_last,
      f.subscription + coalesce(sum(e.amount) filter (where e.pool = 'subscription') over w, 0) as subscription,
      f.anytime + coalesce(sum(e.amount) filter (where e.pool = 'anytime') over w, 0) as anytime
    from unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[])
      as f (org_id, seq, hash, subscription, anytime, until_seq)
    cross join lateral (
      select * from entries x where x.org_id = f.org_id and x.seq > f.seq and x.seq <= f.until_seq
      order by x.seq limit $7) e
    window w as (partition by e.org_id order by e.seq)
  ), judged as materialized (
    select org_id, seq, hash, is_last, subscription, anytime,
      case when type = 'charge' then -amount end as charged, (created_at at time zone 'UTC')::date as day,
      case
        when seq <> previous_seq + 1 then 'entries before it are missing'
        when hash <> entry_hash(previous, org_id, seq, created_at, type, pool, amount, balance_after,
          request_id, reference, description) then 'the row does not match its hash'
        when balance_after <> case pool when 'subscription' then subscription else anytime end
          then 'balance_after does not follow from the entries before it'
      end as fault
    from replayed
  ), days as (
    select org_id, json_object_agg(day, charged) filter (where charged is not null) as charged, sum(entries) as entries
    from (select org_id, day::text, sum(charged) as charged, count(*) as entries from judged group by 1, 2) d group by 1
  ), faulty as (
    select org_id, json_agg(json_build_object('seq', seq::text, 'what', fault) order by seq) as faults
    from (select org_id, seq, fault, row_number() over (partition by org_id order by seq) as place
      from judged where fault is not null) f where place <= 20 group by 1
  )
  select l.org_id as "orgId", d.entries::float8 as entries, l.seq::float8 as seq, l.hash,
    l.subscription::float8 as subscription, l.anytime::float8 as anytime, coalesce(f.faults, '[]') as faults,
    coalesce(d.charged, '{}') as charged
  from judged l join days d using (org_id) left join faulty f using (org_id) where l.is_last`;

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
  /** Holds that should have ended by now. */
  readonly strandedHolds: readonly { readonly requestId: string; readonly what: string }[];
  readonly rollupsByDay: ReadonlyMap<string, number>;
  /** Highest number among the entry rows. Differs from the account's head if a row was added or removed. */
  readonly newestSeq: string;
  /** Faults in entries that a replay does not find. */
  readonly entryFaults: readonly EntryFault[];
};

/**
 * Holds that should have ended. A hold whose request row exists is a fault. So is the hold of a job that is not
 * running, since it begins and ends with the job's row. The sweeper releases the hold of a call within seconds of its
 * end, and a worker ends a job within minutes of its deadline. A hold that is an hour overdue is reported only if a
 * process has been running for longer than that hour and could have ended it: holds wait while no gateway runs.
 */
const STRANDED_HOLDS = `
  select coalesce(json_agg(s), '[]') from (
    select x.request_id as "requestId", case when x.is_ended then 'a hold of a call that has ended'
      when x.kind = 'call' then 'a hold long past its end'
      when x.deadline_at is null then 'a hold of a job that does not run'
      else 'a hold of a job long past its deadline' end as what
    from (
      select y.request_id, y.kind, j.deadline_at,
        case y.kind when 'call' then y.ends_at else j.deadline_at end < bursar_now() - interval '1 hour' as is_overdue,
        exists (select 1 from requests q where q.org_id = y.org_id and q.request_id = y.request_id) as is_ended
      from holds y left join video_jobs j on j.org_id = y.org_id and j.request_id = y.request_id
        and j.status = 'processing' and y.kind = 'job'
      where y.org_id = a.org_id) x
    where x.is_ended or (x.kind = 'job' and x.deadline_at is null)
      or (x.is_overdue and exists (select 1 from processes p where p.ended_at is null
        and p.expires_at > bursar_now() and p.started_at < bursar_now() - interval '1 hour'))
    order by x.request_id limit 20) s`;

/**
 * A replay starts at entry 1, so it does not see rows with a lower number. Books that were rolled back to an earlier
 * entry, or rewritten with new hashes, look sound to it: only a comparison with the entry at which the last sound
 * verification ended reveals that.
 */
const ENTRY_FAULTS = `
  select coalesce(json_agg(s), '[]') from (
    (select x.seq::text, 'it stands before the first entry' as what
    from entries x where x.org_id = a.org_id and x.seq < 1 order by x.seq limit 20)
    union all
    select c.seq::text, case when v.hash is null then 'it was verified before, and is not there'
      else 'it is not the row that was verified before' end
    from audit_checkpoints c cross join lateral (
      select (select y.hash from entries y where y.org_id = c.org_id and y.seq = c.seq) as hash) v
    where c.org_id = a.org_id and c.seq > 0 and v.hash is distinct from c.hash) s`;

type AccountRow = Omit<AccountTruth, "rollupsByDay"> & {
  readonly orgId: string;
  readonly rollups: Readonly<Record<string, number>>;
};

/** Reads accounts, holds and rollups in one snapshot, so that a running system can be verified. */
export async function loadAccountTruths(
  db: Database,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, AccountTruth>> {
  const result = await db.pool.query<AccountRow>({
    name: "audit_account",
    text: `
      select a.org_id as "orgId", a.entry_seq::float8 as "entrySeq", a.entry_hash as "entryHash",
        (a.subscription_available + a.subscription_held)::float8 as subscription,
        (a.anytime_available + a.anytime_held)::float8 as anytime,
        least(a.subscription_available, a.subscription_held, a.anytime_available, a.anytime_held, a.debt) < 0 as negative,
        a.subscription_held::float8 as "heldSubscription", a.anytime_held::float8 as "heldAnytime",
        h.subscription::float8 as "holdsSubscription", h.anytime::float8 as "holdsAnytime",
        a.calls_in_flight as "callsInFlight", a.jobs_in_flight as "jobsInFlight",
        h.calls::integer as "callHolds", h.jobs::integer as "jobHolds", (${STRANDED_HOLDS}) as "strandedHolds",
        (select coalesce(json_object_agg(day, charged), '{}') from (
          select day::text, sum(credits_charged) as charged from rollups r where r.org_id = a.org_id group by day
          having sum(credits_charged) <> 0) d) as rollups,
        (select coalesce(max(seq), 0)::text from entries e where e.org_id = a.org_id) as "newestSeq",
        (${ENTRY_FAULTS}) as "entryFaults"
      from accounts a, lateral (
        select coalesce(sum(subscription), 0) as subscription, coalesce(sum(anytime), 0) as anytime,
          count(*) filter (where kind = 'call') as calls, count(*) filter (where kind = 'job') as jobs
        from holds x where x.org_id = a.org_id) h
      where a.org_id = any($1::uuid[])`,
    values: [orgIds],
  });
  const truths = new Map(
    result.rows.map(({ orgId, rollups, ...truth }) => [
      orgId,
      { ...truth, rollupsByDay: new Map(Object.entries(rollups)) },
    ]),
  );
  for (const orgId of orgIds) assert(truths.has(orgId), `no account for organization ${orgId}`);
  return truths;
}

/**
 * An organization to verify. `entries` is the number of its newest entry, an estimate for dividing the work; `from` is
 * where its last sound verification ended.
 */
export type AuditWork = {
  readonly orgId: string;
  readonly entries: number;
  readonly from: ReplayState | null;
};

/** A page of the organizations that have an account, in order of id. */
export async function loadAuditWork(
  db: Database,
  page: { readonly afterId: string | null; readonly onlyId: string | null; readonly limit: number },
): Promise<AuditWork[]> {
  const result = await db.pool.query<
    Omit<AuditWork, "from"> & Omit<ReplayState, "seq"> & { seq: number | null }
  >(
    `select a.org_id as "orgId", a.entry_seq::float8 as entries, c.seq::float8 as seq, c.hash,
       c.subscription::float8 as subscription, c.anytime::float8 as anytime
     from accounts a left join audit_checkpoints c on c.org_id = a.org_id
     where ($1::uuid is null or a.org_id > $1) and ($2::uuid is null or a.org_id = $2) order by a.org_id limit $3`,
    [page.afterId, page.onlyId, page.limit],
  );
  return result.rows.map(({ orgId, entries, seq, ...state }) => ({
    orgId,
    entries,
    from: seq === null ? null : { ...state, seq },
  }));
}

/**
 * A checkpoint never moves back: another verification may have come further meanwhile. Returns false if the database is
 * read-only, such as a standby.
 */
export async function saveCheckpoints(
  db: Database,
  states: ReadonlyMap<string, ReplayState>,
): Promise<boolean> {
  if (states.size === 0) return true;
  try {
    await insertCheckpoints(db, states);
    return true;
  } catch (error) {
    if (isReadOnly(error)) return false;
    throw error;
  }
}

async function insertCheckpoints(db: Database, states: ReadonlyMap<string, ReplayState>): Promise<void> {
  const all = [...states.values()];
  await db.pool.query(
    `insert into audit_checkpoints
     select org_id, seq, hash, subscription, anytime, bursar_now()
     from unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[])
       as s (org_id, seq, hash, subscription, anytime) order by org_id
     on conflict (org_id) do update set seq = excluded.seq, hash = excluded.hash,
       subscription = excluded.subscription, anytime = excluded.anytime, verified_at = excluded.verified_at
     where audit_checkpoints.seq <= excluded.seq`,
    [
      [...states.keys()],
      plainColumn(all, "seq"),
      all.map(({ hash }) => hash),
      plainColumn(all, "subscription"),
      plainColumn(all, "anytime"),
    ],
  );
}
