-- The outbox: what happened, and whom it is told. Written in the transaction that makes it happen.
create table events (
  id uuid primary key,
  -- Nil where it is for operators.
  org_id uuid not null,
  -- Its place among the organization's events, without gaps, in the order in which they could be read. Given soon after
  -- the commit; null until then.
  seq bigint,
  type text not null,
  created_at timestamptz not null,
  -- Ids and figures: no secret, no prompt, no URL.
  data jsonb not null
);
create unique index events_by_org on events (org_id, seq) where seq is not null;
create index events_fresh on events (id) where seq is null;

-- The highest number given, which outlives the events.
create table event_heads (
  org_id uuid primary key,
  seq bigint not null
);

create table endpoints (
  id uuid primary key,
  org_id uuid not null,
  -- owners: the organization's owners and admins by email, made when there is first something to tell them; its id is the
  -- organization's.
  kind text not null check (kind in ('webhook', 'slack', 'email', 'owners')),
  -- All that is ever shown of the address, which is a secret: Slack's let anybody write.
  host text not null,
  -- Which types of events are told; empty: all.
  types text[] not null default '{}',
  created_at timestamptz not null,
  -- Sealed, as are the secrets that sign what goes to a webhook: for a day after a rotation, both do.
  address text,
  secret text,
  retired_secret text,
  retired_until timestamptz,
  paused_at timestamptz,
  -- Since when nothing was accepted.
  failing_since timestamptz,
  -- How its last tries went: 0 failed, 1 slow or none yet, 2 quick. It decides how much is sent at once.
  pace smallint not null default 1,
  -- When its next delivery is due; null where none waits.
  due_at timestamptz,
  -- Whoever delivers to it has it until then.
  busy_until timestamptz
) with (fillfactor = 50);
create index endpoints_by_org on endpoints (org_id, id);
create index endpoints_by_due on endpoints (due_at) where paused_at is null;

create table deliveries (
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  event_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Of the next try; null where there is none.
  next_at timestamptz,
  -- Of the last try. What the endpoint answered is not kept, but for its status.
  tried_at timestamptz,
  http_status integer,
  ms integer,
  problem text,
  primary key (endpoint_id, event_id)
) with (fillfactor = 70);
create index deliveries_by_due on deliveries (endpoint_id, next_at, event_id) where status = 'waiting';
create index deliveries_by_event on deliveries (event_id);
