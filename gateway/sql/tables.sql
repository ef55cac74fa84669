-- The tables of a new database, by noun. A database that is there already gets what changes from `changes/`; a test
-- keeps both alike.

-- The versions that this database has been at, each with the digest of its sources: it stands at the highest. A database
-- from before there were versions has a row for each of its migrations, too.
create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null
);

-- People and organizations: the tables of better-auth, with its own column names.

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
  "inviterId" uuid not null references "user" (id) on delete cascade,
  -- Whether the link went to the address itself. One that was shown to whoever invites proves nothing about the address.
  mailed boolean not null default false
);
create index "invitation_organizationId_idx" on invitation ("organizationId");
create index invitation_email_idx on invitation (email);

-- API keys, which are ours, and the version by which every node knows whether what it remembers still holds.

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

-- Who administers, and what was done.

-- A key for programs that administer: of one organization, or of the operator (null), who may do it for all.
create table management_keys (
  id uuid primary key,
  org_id uuid references organization (id),
  name text not null check (char_length(name) between 1 and 100),
  -- SHA-256 of the whole key, as with API keys.
  secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
  last_four text not null check (char_length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- A person's id, or null for the operator at the command line.
  minted_by uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default bursar_now(),
  last_used_at timestamptz
);
create index management_keys_by_org on management_keys (org_id, created_at desc);

-- People who may do what an operator's key may.
create table operators (
  user_id uuid primary key references "user" (id) on delete cascade,
  added_at timestamptz not null default bursar_now()
);

-- One row per administrative act and chain: an organization's, by its id, or the operator's, by the nil UUID.
create table audit (
  chain uuid not null,
  seq bigint not null,
  at timestamptz not null,
  -- person, key or operator.
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  -- console, rest or cli.
  face text not null,
  operation text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  -- Fields of a closed list: never a key, a secret or a URL beyond its host.
  before jsonb,
  after jsonb,
  hash bytea not null,
  primary key (chain, seq)
);

-- Locked last in a transaction, in order of chain.
create table audit_heads (
  chain uuid primary key,
  seq bigint not null,
  hash bytea not null
);

-- The ledger. Everything is keyed by organization first. No foreign keys on what a paid call touches: the account's row
-- lock is what orders writers.
--
-- Functions are the only writers of credits. Lock order everywhere: accounts first, by id. Time is read after the lock.
-- The hot functions are called on connections that bound the wait for locks and keep generic plans that go by
-- indexes; settings of the functions themselves would be made and undone at each call.
-- Callers hand over items grouped by organization, organizations in ascending order of id; within an
-- organization items are decided in order of arrival. Each account is written once per batch, and new rows
-- are collected as whole rows and inserted in one go, which is three times quicker than one by one: a
-- column added to holds, entries or requests must be added to the rows built there, in the same version.

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
  jobs_in_flight integer not null default 0
) with (fillfactor = 30);
-- No index on a mutable column: updates stay within the page, however often an account is charged.

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
-- All but charges are few: pages of them alone must not read through a million charges.
create index entries_but_charges on entries (org_id, type, seq desc) where type <> 'charge';

-- A correction by hand has an id that its caller made, so that whoever lost the answer can ask again and finds it.
create table corrections (
  org_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  pool text not null,
  amount bigint not null,
  -- Of its entry.
  seq bigint not null,
  -- Of what it added, by the entry after its own.
  debt_paid bigint not null,
  primary key (org_id, id)
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

-- An operator's word that the time is right: when, by the host's clock, and how far that was ahead of the operator's
-- machine.
create table clock_acceptances (
  is_last boolean primary key default true check (is_last),
  accepted_at timestamptz not null,
  ahead_ms bigint not null
);

-- One row per running process. A hold names process and epoch; whoever lost its epoch owns no holds.
create table processes (
  process_id uuid primary key,
  epoch integer not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- What nodes that serve together must have in common: a mark of the secret, which says nothing of it but whether two are
  -- the same, and where files are kept. Null of a version that did not say.
  secret_mark text,
  objects_place text,
  -- The last time that a process believed, by the host's clock: one that starts compares with it.
  believed_at timestamptz,
  -- Also in common: a mark of models, prices, plans and limits.
  catalog_mark text
);

-- Paid calls.

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
  -- What the price rule was applied to: with it and the row's tokens whoever has the receipt can compute the charge. Null
  -- where the rule and the row's tokens say it all, where nothing was charged, and in rows of versions before. The keys
  -- are explained in gateway/src/catalog/measured.ts.
  measured jsonb,
  -- Why a call failed or was cut: one of gateway/src/kit/failure-reason.ts, which alone lists them, so that an older node
  -- is not refused a newer one's. Null where the call ended as it should, or nothing is known, and in rows of versions before.
  reason text,
  primary key (org_id, request_id)
) partition by range (request_id);

create table requests_default partition of requests default;

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
  last_at timestamptz not null,
  -- Input that providers read from their caches or wrote to them, and what that saved after the prices of both, in
  -- millionths of a credit: less than nothing where more was written than was worth it. 0 for calls before version 35.
  cache_read_tokens bigint not null default 0,
  cache_written_tokens bigint not null default 0,
  cache_saved bigint not null default 0
) with (fillfactor = 50);
create unique index rollups_by_day on rollups (org_id, day, key_id, member_id, model, endpoint) nulls not distinct;

-- Calls that were refused before they held anything: they have no row in requests, and no sum in rollups. Counted only,
-- so that a flood of them costs a few rows an hour. `model` is an id of the catalog or `other`, since a caller's text may
-- be a prompt or a key.
create table refusals (
  org_id uuid not null,
  hour timestamptz not null,
  key_id uuid not null,
  model text not null,
  code text not null,
  requests bigint not null check (requests > 0),
  primary key (org_id, hour, key_id, model, code)
) with (fillfactor = 50);
-- For forgetting alone: rows come in the order of their hours.
create index refusals_by_hour on refusals using brin (hour);

-- An Idempotency-Key belongs to the API key that sent it: no other is handed its reply or stands in its way.
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
  key_id uuid not null,
  primary key (org_id, endpoint, key, key_id)
);
create index idempotency_by_expiry on idempotency (expires_at);

-- How far our counts of prompts are off, model by model, as providers' reports show it: sums, so that nodes can add
-- what each has seen. For quotes and shown numbers only; nothing here decides what is sent.
--
-- Only nodes of version 33 and before add here and read it: since 34 the sums below are added up model by model. The
-- release after that one drops this table and `token_corrections_add`.
create table token_corrections (
  model text not null,
  -- Providers add to a prompt by what is in it: nothing special, a schema for the answer, or tools.
  kind text not null check (kind in ('plain', 'schema', 'tools')),
  -- Of long prompts: tokens as we counted them, and as they were reported.
  estimated double precision not null check (estimated >= 0 and estimated < 'infinity'),
  reported double precision not null check (reported >= 0 and reported < 'infinity'),
  -- Of short ones: how many, and the tokens that were reported beyond our count.
  calls double precision not null check (calls >= 0 and calls < 'infinity'),
  beyond double precision not null check (beyond > '-infinity' and beyond < 'infinity'),
  updated_at timestamptz not null,
  primary key (model, kind)
);

-- The same, organization by organization. Shown numbers go by the sum of all. Holds go by an organization's own
-- reports, also after a restart, and by what several organizations agree on, so that nobody can raise everybody's holds
-- alone.
create table own_token_corrections (
  org_id uuid not null,
  model text not null,
  kind text not null check (kind in ('plain', 'schema', 'tools')),
  estimated double precision not null check (estimated >= 0 and estimated < 'infinity'),
  reported double precision not null check (reported >= 0 and reported < 'infinity'),
  calls double precision not null check (calls >= 0 and calls < 'infinity'),
  beyond double precision not null check (beyond > '-infinity' and beyond < 'infinity'),
  updated_at timestamptz not null,
  primary key (org_id, model, kind)
);
create index own_token_corrections_updated_at on own_token_corrections (updated_at);

-- What became of calls whose prompts a provider caches on request, for each organization, model and shape of prompt (a
-- digest of instructions and tools; empty for all shapes together when they were new): sums, so that nodes can add what
-- each has seen. Decides where prompts are marked, and nothing else. Forgotten after a day without calls.
create table cache_habits (
  org_id uuid not null,
  model text not null,
  shape text not null check (length(shape) <= 64),
  -- Calls soon after another one of this shape.
  again double precision not null check (again >= 0 and again < 'infinity'),
  -- Calls that began a conversation, or went on with one, and how many of either were soon gone on with.
  firsts double precision not null check (firsts >= 0 and firsts < 'infinity'),
  firsts_read double precision not null check (firsts_read >= 0 and firsts_read < 'infinity'),
  laters double precision not null check (laters >= 0 and laters < 'infinity'),
  laters_read double precision not null check (laters_read >= 0 and laters_read < 'infinity'),
  updated_at timestamptz not null,
  primary key (org_id, model, shape)
);
create index cache_habits_updated_at on cache_habits (updated_at);

-- Plans and payments. Orders are ours and stand before anybody is sent away to pay; a payment is believed only where it
-- fits its order.

-- Since when an organization has its plan, and when the plan's next period is due. Kept here because
-- nothing else knows it: the organization's row has no history, and one whose first grant never
-- happened (killed in between) has no grant to count from.
create table subscriptions (
  org_id uuid primary key,
  plan text not null,
  -- The first period begins here.
  started_at timestamptz not null,
  -- Periods begin here and every month after, counted from here each time, so that they never drift:
  -- 31 January, 28 February, 31 March. Later than started_at only where the first period is not a month.
  anchor timestamptz not null,
  renews_at timestamptz not null,
  -- schedule: we open the periods. payment: whoever reports the payment does.
  source text not null default 'schedule' check (source in ('schedule', 'payment')),
  -- The period that the plan's next one will be, as the last run of renewals saw it. Told shortly before it begins, so
  -- that whoever finds the period before ended can open it there and then: between two runs nobody is refused.
  next_start timestamptz,
  next_end timestamptz,
  next_credits bigint check (next_credits > 0),
  check (anchor >= started_at),
  constraint subscriptions_next_is_whole check (
    (next_start is null) = (next_end is null) and (next_start is null) = (next_credits is null))
);
create index subscriptions_due on subscriptions (renews_at, org_id) where source = 'schedule';

create table payment_orders (
  id uuid primary key,
  org_id uuid not null,
  created_at timestamptz not null,
  -- A person's id. No foreign key: the order outlives the account.
  ordered_by uuid not null,
  kind text not null check (kind in ('pack', 'plan')),
  -- Name of the pack or plan; credits and price are those of the day of the order, whatever the catalog says later.
  item text not null,
  credits bigint not null check (credits > 0),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  provider text not null check (provider in ('stripe', 'test')),
  status text not null default 'open' check (status in ('open', 'paid', 'expired')),
  -- The checkout at the provider, once there is one.
  checkout_id text unique,
  paid_at timestamptz
);
create index payment_orders_by_org on payment_orders (org_id, id desc);

-- One row per payment that came in: a checkout, or an invoice of a plan. What it granted, and what was taken back of it.
create table payments (
  -- The provider's word for it; the grant's reference says the same.
  id text primary key,
  org_id uuid not null,
  order_id uuid not null,
  created_at timestamptz not null,
  pool text not null check (pool in ('subscription', 'anytime')),
  -- 0 where the period that it was for is over.
  credits bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  period_start timestamptz,
  -- How refunds and disputes name it; may be learned after the credits were granted.
  charge_reference text unique,
  reversed_credits bigint not null default 0 check (reversed_credits between 0 and credits),
  -- When credits were last taken for it. Who holds some of its month since holds none of what went back.
  reversed_at timestamptz
);
create index payments_by_order on payments (order_id);
create index payments_by_org on payments (org_id);

-- Refunds and disputes, kept even before the payment they are about is known: they may be reported first.
create table payment_reversals (
  -- The charge, for all of its refunds together, or the dispute.
  id text primary key,
  charge_reference text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  amount_cents bigint not null check (amount_cents >= 0),
  -- A dispute that was decided; what is reported late about its beginning changes nothing.
  is_final boolean not null default false
);
create index payment_reversals_by_charge on payment_reversals (charge_reference);

-- The subscription by which an organization's plan is paid.
create table paid_subscriptions (
  org_id uuid primary key,
  id text not null unique,
  customer_id text not null,
  -- The standing order: every invoice must fit it.
  order_id uuid not null,
  -- The order that takes its place with the next invoice.
  next_order_id uuid,
  state text not null default 'active' check (state in ('active', 'past_due')),
  ends_at timestamptz,
  -- Where an invoice that could not be collected can be paid by hand.
  pay_url text,
  -- When owners and admins are to be told that a payment of the plan failed: at once, or later where somebody is at it, who
  -- may die over it. Null where they were told, or there is nothing to tell.
  tell_failure_at timestamptz
);

-- Subscriptions that another took the place of. They must be ended at the provider, and open no period any more.
create table replaced_subscriptions (
  id text primary key,
  org_id uuid not null,
  is_ended boolean not null default false
);
create index replaced_subscriptions_running on replaced_subscriptions (org_id) where not is_ended;

-- What owners and admins were told by mail, so that they are told once.
create table balance_notices (
  org_id uuid primary key,
  -- There were credits enough when it was last looked; falling below is told once from here.
  is_armed boolean not null default false,
  -- The end of the period whose expiry was told.
  expiry_told_for timestamptz,
  -- When a low balance was told last. Credits that came after it and are gone before the next look were never seen to be
  -- enough, so that falling below would pass in silence.
  low_told_at timestamptz
);

-- The library: one row per thing that was made and paid for. Bytes live in an object store; a row is written by the
-- settlement that charges for it, so there is never a charge without its asset, nor an asset without its charge.

create table assets (
  org_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  type text not null,
  object_key text not null,
  -- Whoever has it may read the bytes; 192 random bits.
  url_token text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  width integer,
  height integer,
  duration_ms integer,
  model text not null,
  prompt text,
  request_id uuid not null,
  key_id uuid not null,
  member_id uuid,
  credits_charged bigint not null,
  primary key (org_id, id),
  constraint assets_make_sense check (type in ('image', 'video', 'audio') and size_bytes > 0
    and octet_length(sha256) = 32 and credits_charged >= 0 and char_length(url_token) >= 22)
);
create unique index assets_by_token on assets (url_token);
-- Newest first, whole and by each filter: a page is read off an index, however many rows there are. The time is that
-- of the account's lock, so a row never appears behind a page that was already read.
create index assets_newest on assets (org_id, created_at desc, id desc);
create index assets_newest_of_type on assets (org_id, type, created_at desc, id desc);
create index assets_newest_of_member on assets (org_id, member_id, created_at desc, id desc) where member_id is not null;
create index assets_newest_of_model on assets (org_id, model, created_at desc, id desc);
create index assets_by_request on assets (org_id, request_id);

-- Objects that may belong to nobody, noted before their first byte is written and forgotten by the transaction that
-- gives them an owner. So orphans are found without ever listing a store.
create table stray_objects (
  object_key text primary key,
  org_id uuid not null,
  due_at timestamptz not null,
  -- Its bytes may be gone: from here on nobody can publish it.
  is_sweeping boolean not null default false
);
create index stray_objects_by_due on stray_objects (due_at);

-- Video jobs: the row is the truth about a job. It begins in the transaction that holds its credits and ends in the
-- transaction that charges or releases them, so neither is ever without the other.
create table video_jobs (
  org_id uuid not null,
  request_id uuid not null,
  created_at timestamptz not null,
  -- Nobody waits longer than this: then it fails, and costs nothing.
  deadline_at timestamptz not null,
  ended_at timestamptz,
  -- processing, complete or failed; decided once.
  status text not null,
  -- queued, starting, running, storing, succeeded or failed:<reason>.
  provider_status text not null,
  endpoint text not null,
  model text not null,
  key_id uuid not null,
  member_id uuid,
  estimate bigint not null,
  price_rule text,
  -- What is to be made, its prompt and its frozen price; forgotten when the job ends.
  video_order jsonb,
  -- Whom it was given to, written before they are asked; and what they call it.
  target text,
  operation jsonb,
  -- Bytes that are durable and wait for their settlement.
  draft jsonb,
  asset_id uuid,
  looks integer not null,
  -- Steps that failed in a row.
  failures integer not null,
  -- When somebody may take the job up: at its next step, or when the lease of whoever has it ends.
  due_at timestamptz not null,
  -- Of the one who has it; every step writes under its own.
  lease uuid,
  primary key (org_id, request_id),
  constraint video_jobs_make_sense check (status in ('processing', 'complete', 'failed') and estimate >= 0
    and (status = 'processing') = (ended_at is null)
    -- What a caller wrote is not kept beyond the job.
    and (status = 'processing') = (video_order is not null))
);
create index video_jobs_by_due on video_jobs (due_at) where status = 'processing';
create index video_jobs_by_end on video_jobs (ended_at) where ended_at is not null;

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
