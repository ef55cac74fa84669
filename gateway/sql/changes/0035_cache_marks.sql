-- A default that is no expression rewrites no rows, so the lock lasts for a moment.
alter table rollups
  add column cache_read_tokens bigint not null default 0,
  add column cache_written_tokens bigint not null default 0,
  add column cache_saved bigint not null default 0;

create table cache_habits (
  org_id uuid not null,
  model text not null,
  shape text not null check (length(shape) <= 64),
  again double precision not null check (again >= 0 and again < 'infinity'),
  firsts double precision not null check (firsts >= 0 and firsts < 'infinity'),
  firsts_read double precision not null check (firsts_read >= 0 and firsts_read < 'infinity'),
  laters double precision not null check (laters >= 0 and laters < 'infinity'),
  laters_read double precision not null check (laters_read >= 0 and laters_read < 'infinity'),
  updated_at timestamptz not null,
  primary key (org_id, model, shape)
);
create index cache_habits_updated_at on cache_habits (updated_at);
