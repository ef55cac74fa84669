-- Keys that administer, people who are operators, and the log of what was administered. See tables.sql.
create table management_keys (
  id uuid primary key,
  org_id uuid references organization (id),
  name text not null check (char_length(name) between 1 and 100),
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  last_four text not null check (char_length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  minted_by uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default bursar_now(),
  last_used_at timestamptz
);
create index management_keys_by_org on management_keys (org_id, created_at desc);

create table operators (
  user_id uuid primary key references "user" (id) on delete cascade,
  added_at timestamptz not null default bursar_now()
);

create table audit (
  chain uuid not null,
  seq bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  face text not null,
  operation text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  before jsonb,
  after jsonb,
  hash bytea not null,
  primary key (chain, seq)
);

create table audit_heads (
  chain uuid primary key,
  seq bigint not null,
  hash bytea not null
);
