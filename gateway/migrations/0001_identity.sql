-- Who asks: people and organizations (better-auth's tables, its own column names), API keys (ours),
-- and the version by which every node knows whether what it remembers of them still holds.

create table "user" (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique,
  "emailVerified" boolean not null default false,
  image text,
  "createdAt" timestamptz not null default bursar_now(),
  "updatedAt" timestamptz not null default bursar_now()
);

create table session (
  id uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default bursar_now(),
  "updatedAt" timestamptz not null default bursar_now(),
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references "user" (id) on delete cascade,
  "activeOrganizationId" text
);
create index "session_userId_idx" on session ("userId");

create table account (
  id uuid primary key default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null references "user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default bursar_now(),
  "updatedAt" timestamptz not null default bursar_now()
);
create index "account_userId_idx" on account ("userId");

-- Our one-time links live here too: identifier `bursar-link:` and the SHA-256 of the token.
create table verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default bursar_now(),
  "updatedAt" timestamptz not null default bursar_now()
);
create index verification_identifier_idx on verification (identifier);
-- A new link voids the person's older ones. Partial, because other values may be too long to index.
create index verification_links_by_value on verification (value) where identifier like 'bursar-link:%';

create table organization (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  slug text not null unique,
  logo text,
  "createdAt" timestamptz not null default bursar_now(),
  metadata text,
  -- Ours. The accounts library does not know them, so none of its calls can set them.
  plan text not null default 'free',
  active boolean not null default true,
  efficiency text not null default 'safe' check (efficiency in ('off', 'safe', 'structural')),
  "disabledModels" text[] not null default '{}'
);

create table member (
  id uuid primary key default gen_random_uuid(),
  "organizationId" uuid not null references organization (id),
  "userId" uuid not null references "user" (id) on delete cascade,
  role text not null default 'member' check (role in ('owner', 'admin', 'member')),
  "createdAt" timestamptz not null default bursar_now(),
  unique ("organizationId", "userId")
);
create index "member_userId_idx" on member ("userId");

create table invitation (
  id uuid primary key default gen_random_uuid(),
  "organizationId" uuid not null references organization (id),
  email text not null,
  role text,
  status text not null default 'pending',
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default bursar_now(),
  "inviterId" uuid not null references "user" (id) on delete cascade
);
create index "invitation_organizationId_idx" on invitation ("organizationId");
create index invitation_email_idx on invitation (email);

create table api_keys (
  id uuid primary key,
  org_id uuid not null references organization (id),
  name text not null check (char_length(name) between 1 and 100),
  -- SHA-256 of the whole key. The key itself is shown once and stored nowhere.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  last_four text not null check (char_length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Below the plan's; null where the plan's hold.
  requests_per_minute integer check (requests_per_minute > 0),
  in_flight integer check (in_flight > 0),
  -- A person's id, or null for the operator. No foreign key: the key outlives the account.
  minted_by uuid,
  -- The console's own key: never listed, rotated or revoked by people.
  internal boolean not null default false,
  created_at timestamptz not null default bursar_now(),
  last_used_at timestamptz
) with (fillfactor = 80);
create index api_keys_by_org on api_keys (org_id, created_at desc);
create unique index api_keys_internal on api_keys (org_id) where internal and revoked_at is null;

-- Secrets that a rotation replaced. Each works until its grace ends, and is known as expired afterwards.
create table api_key_retired_secrets (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  key_id uuid not null references api_keys (id) on delete cascade,
  retired_at timestamptz not null default bursar_now(),
  expires_at timestamptz not null
);
create index api_key_retired_secrets_by_key on api_key_retired_secrets (key_id, retired_at desc);

-- One row. Whoever reads a principal reads the version in the same snapshot; a node that sees a version
-- it was not told about forgets everything it remembers.
create table identity_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into identity_version (version) values (0);

-- Deferred to the commit, so that the version's row lock is always the last one taken (no deadlocks)
-- and is held for an instant. One step per transaction, one message per organization: versions are
-- given out under the lock, so messages arrive in their order and a missing one leaves a gap.
create function identity_changed() returns trigger language plpgsql as $$
declare
  v_version text := current_setting('bursar.identity_version', true);
  v_org uuid;
begin
  if coalesce(v_version, '') = '' then
    update identity_version set version = version + 1 returning version::text into strict v_version;
    perform set_config('bursar.identity_version', v_version, true);
  end if;
  if tg_op = 'TRUNCATE' then
    return null;
  end if;
  case tg_table_name
    when 'organization' then v_org := old.id;
    when 'member' then v_org := old."organizationId";
    when 'api_keys' then v_org := old.org_id;
    when 'api_key_retired_secrets' then select k.org_id into v_org from api_keys k where k.id = old.key_id;
  end case;
  -- A retired secret deleted with its key: the key's own message names the organization.
  if v_org is not null then
    perform pg_notify('bursar_identity', v_version || ' ' || v_org);
  end if;
  return null;
end $$;

-- Only what takes something away from a memory matters: nodes remember what exists, never what does not.
create constraint trigger organization_changed
  after update of name, slug, plan, active, efficiency, "disabledModels" on organization
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger member_left
  after delete or update of "organizationId", "userId" on member
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger api_key_changed
  after delete or update of id, org_id, name, secret_hash, scopes, expires_at, revoked_at,
    requests_per_minute, in_flight, internal on api_keys
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger api_key_retired_secret_changed
  after delete or update on api_key_retired_secrets
  deferrable initially deferred for each row execute function identity_changed();
create trigger member_truncated after truncate on member execute function identity_changed();
create trigger api_keys_truncated after truncate on api_keys execute function identity_changed();

-- An organization is deactivated, never deleted: its ledger stays.
create function refuse_organization_removal() returns trigger language plpgsql as $$
begin
  raise exception 'an organization is deactivated, never deleted' using errcode = 'restrict_violation';
end $$;
create trigger organization_stays before delete on organization
  for each row execute function refuse_organization_removal();
create trigger organizations_stay before truncate on organization
  execute function refuse_organization_removal();

-- The last owner stays, whichever code asks and however many ask at once: the organization's row lock
-- makes two owners who leave at the same moment leave one after the other.
create function keep_last_owner() returns trigger language plpgsql as $$
begin
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner'
      or new."organizationId" <> old."organizationId" or new."userId" <> old."userId") then
    perform 1 from organization where id = old."organizationId" for no key update;
    perform 1 from member
      where "organizationId" = old."organizationId" and role = 'owner' and id <> old.id limit 1;
    if not found then
      raise exception 'the last owner stays' using errcode = 'restrict_violation';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger member_keeps_last_owner before update or delete on member
  for each row execute function keep_last_owner();
