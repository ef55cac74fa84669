-- The ledger: accounts, grants, holds, entries; the record of paid calls; leases of processes.
-- Everything is keyed by organization first. No foreign keys on what a paid call touches: the
-- account's row lock is what orders writers, and the functions of 0003 are the only writers.

create table accounts (
  org_id uuid primary key,
  subscription_available bigint not null default 0,
  subscription_held bigint not null default 0,
  anytime_available bigint not null default 0,
  anytime_held bigint not null default 0,
  -- Refunded credits that were already spent: taken first from the next top-up.
  debt bigint not null default 0,
  -- Number of the newest period; a hold remembers it to know whether its credits have expired since.
  period_no bigint not null default 0,
  period_start timestamptz,
  period_end timestamptz,
  -- Head of the hash chain over entries.
  entry_seq bigint not null default 0,
  entry_hash bytea not null default sha256(''::bytea),
  -- Fixed rate window and running work, exact across nodes because the row is locked.
  window_start timestamptz not null default '-infinity',
  window_count integer not null default 0,
  calls_in_flight integer not null default 0,
  jobs_in_flight integer not null default 0,
  -- Few constraints with much in each: the server reads every one of them anew at every statement.
  constraint accounts_never_negative check (least(subscription_available, subscription_held, anytime_available,
    anytime_held, debt, calls_in_flight, jobs_in_flight) >= 0),
  -- MAX_CREDITS of the gateway: an account beyond it could be granted but never read, charged or audited again.
  -- And without an open period there is nothing to spend from one.
  constraint accounts_credits_stay_countable check (
    subscription_available + subscription_held + anytime_available + anytime_held <= 1000000000000000
    and (period_start is null) = (period_end is null) and (period_end is not null or subscription_available = 0))
) with (fillfactor = 30);
-- No index on a mutable column: updates stay within the page, however often an account is charged.

create function open_account() returns trigger language plpgsql as $$
begin
  insert into accounts (org_id) values (new.id) on conflict do nothing;
  return null;
end $$;

-- An organization without an account cannot exist, whoever creates it.
create trigger organization_opens_account after insert on organization
  for each row execute function open_account();

create table grants (
  org_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  pool text not null check (pool in ('subscription', 'anytime')),
  kind text not null check (kind in ('plan', 'pack', 'manual')),
  amount bigint not null check (amount > 0),
  reference text,
  period_start timestamptz,
  expires_at timestamptz,
  primary key (org_id, id)
);
-- At most one grant per payment or period.
create unique index grants_by_reference on grants (org_id, reference) where reference is not null;
create unique index grants_by_period on grants (org_id, period_start) where kind = 'plan';

create table holds (
  org_id uuid not null,
  request_id uuid not null,
  -- call or job.
  kind text not null,
  subscription bigint not null,
  anytime bigint not null,
  period_no bigint not null,
  process_id uuid not null,
  epoch integer not null,
  created_at timestamptz not null,
  ends_at timestamptz not null,
  endpoint text not null,
  model text not null,
  key_id uuid not null,
  member_id uuid,
  -- The key has an in-flight limit of its own, so its row counted this call.
  key_counted boolean not null,
  idempotency_key text,
  primary key (org_id, request_id),
  constraint holds_never_negative check (least(subscription, anytime) >= 0)
) with (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);

create table key_windows (
  org_id uuid not null,
  key_id uuid not null,
  window_start timestamptz not null,
  window_count integer not null,
  calls_in_flight integer not null check (calls_in_flight >= 0),
  primary key (org_id, key_id)
) with (fillfactor = 50);

create table entries (
  org_id uuid not null,
  seq bigint not null,
  created_at timestamptz not null,
  -- grant, charge, expire or adjust.
  type text not null,
  -- subscription or anytime.
  pool text not null,
  amount bigint not null,
  -- Of that pool, held credits included.
  balance_after bigint not null,
  request_id uuid,
  reference text,
  description text not null,
  hash bytea not null,
  primary key (org_id, seq),
  constraint entries_make_sense check (amount <> 0 and balance_after >= 0)
);
create unique index entries_by_request on entries (org_id, request_id, pool, type) where request_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name;
end $$;

create trigger entries_are_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();

-- sha256 over the previous hash and the row in a fixed binary form. Text cannot contain a zero byte,
-- so zero bytes end the fields of varying length and no two rows share a form.
create function entry_hash(
  previous bytea, org_id uuid, seq bigint, created_at timestamptz, type text, pool text,
  amount bigint, balance_after bigint, request_id uuid, reference text, description text
) returns bytea language sql stable as $$
  select sha256(
    previous || uuid_send(org_id) || int8send(seq) || timestamptz_send(created_at)
    || int8send(amount) || int8send(balance_after)
    || textsend(type) || '\x00'::bytea || textsend(pool) || '\x00'::bytea
    || coalesce('\x01'::bytea || uuid_send(request_id), '\x00'::bytea)
    || coalesce('\x01'::bytea || textsend(reference), '\x'::bytea) || '\x00'::bytea
    || textsend(description)
  )
$$;

-- The price rule in force when a call was admitted; nothing is re-priced later.
create table price_rules (
  id text primary key,
  model text not null,
  rule jsonb not null,
  created_at timestamptz not null default bursar_now()
);

-- One row per admitted call, written when it ends. Partitioned by the time inside the UUIDv7.
create table requests (
  org_id uuid not null,
  request_id uuid not null,
  created_at timestamptz not null,
  settled_at timestamptz not null,
  -- Who ended it: the call itself, or the sweeper after its process died.
  ended_by text not null,
  -- succeeded, failed or cancelled.
  status text not null,
  endpoint text not null,
  model text not null,
  key_id uuid not null,
  member_id uuid,
  held_credits bigint not null,
  charged_subscription bigint not null,
  charged_anytime bigint not null,
  written_off_credits bigint not null,
  -- What could be spent right after this settlement: a repeat of the call shows it again.
  subscription_after bigint not null,
  anytime_after bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  tokens_saved bigint not null,
  latency_ms integer,
  error_code text,
  price_rule text,
  target text,
  -- A success that arrived after the hold was released: what it would have cost.
  late_cost bigint,
  primary key (org_id, request_id)
) partition by range (request_id);

create table requests_default partition of requests default;

create function id_at(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the monthly partitions from this month to two months ahead. Safe to repeat and to run twice at once.
create function make_request_partitions() returns integer language plpgsql as $$
declare
  v_start timestamptz := date_trunc('month', bursar_now(), 'UTC');
  v_name text;
  v_made integer := 0;
begin
  perform pg_advisory_xact_lock(7201, 3);
  for i in 0 .. 2 loop
    v_name := 'requests_' || to_char(v_start at time zone 'UTC', 'YYYY_MM');
    if to_regclass(v_name) is null
      -- Rows that strayed into the default partition stay there: their month is served from it.
      and not exists (select 1 from requests_default
        where request_id >= id_at(v_start) and request_id < id_at(v_start + interval '1 month'))
    then
      execute format('create table %I partition of requests for values from (%L) to (%L)',
        v_name, id_at(v_start), id_at(v_start + interval '1 month'));
      v_made := v_made + 1;
    end if;
    v_start := v_start + interval '1 month';
  end loop;
  return v_made;
end $$;

-- Sums by settlement day: the usage view costs the same after ten thousand or ten million requests.
create table rollups (
  org_id uuid not null,
  day date not null,
  key_id uuid not null,
  member_id uuid,
  model text not null,
  endpoint text not null,
  requests bigint not null,
  failed_requests bigint not null,
  credits_charged bigint not null,
  written_off_credits bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  tokens_saved bigint not null,
  last_at timestamptz not null
) with (fillfactor = 50);
create unique index rollups_by_day on rollups (org_id, day, key_id, member_id, model, endpoint) nulls not distinct;

create table idempotency (
  org_id uuid not null,
  endpoint text not null,
  key text not null,
  fingerprint bytea not null,
  request_id uuid not null,
  state text not null check (state in ('running', 'done')),
  -- Null when done: the reply was too large to keep.
  reply text,
  expires_at timestamptz not null,
  primary key (org_id, endpoint, key)
);
create index idempotency_by_expiry on idempotency (expires_at);

-- One row per running process. A hold names process and epoch; whoever lost its epoch owns no holds.
create table processes (
  process_id uuid primary key,
  epoch integer not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);

-- Where the last incremental verification stopped.
create table audit_checkpoints (
  org_id uuid primary key,
  seq bigint not null,
  hash bytea not null,
  subscription bigint not null,
  anytime bigint not null,
  verified_at timestamptz not null
);
