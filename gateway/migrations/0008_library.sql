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

-- Called under the account's lock, by what has just charged for these. The charge is split evenly, the first ones
-- taking the rest, so that the parts sum to the whole.
create function publish_assets(
  p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_model text, p_charged bigint, p_assets jsonb
) returns void language plpgsql as $$
declare
  v_count integer := jsonb_array_length(p_assets);
  v_owned integer;
begin
  delete from stray_objects s
    where s.object_key in (select x->>'objectKey' from jsonb_array_elements(p_assets) x)
      and s.org_id = p_org and not s.is_sweeping;
  get diagnostics v_owned = row_count;
  -- Nobody may be charged for bytes that the sweep has taken.
  if v_owned <> v_count then raise exception 'objects of request % are not there to be published', p_request; end if;
  insert into assets
    select p_org, (x.asset->>'id')::uuid, bursar_now(), x.asset->>'type', x.asset->>'objectKey', x.asset->>'urlToken',
      x.asset->>'mediaType', (x.asset->>'sizeBytes')::bigint, decode(x.asset->>'sha256', 'hex'),
      (x.asset->>'width')::integer, (x.asset->>'height')::integer, (x.asset->>'durationMs')::integer,
      p_model, x.asset->>'prompt', p_request, p_key, p_member,
      p_charged / v_count + (x.place <= p_charged % v_count)::integer
    from jsonb_array_elements(p_assets) with ordinality as x (asset, place);
end $$;

-- ledger_settle for one call that made something: charge and publication in one transaction. A repeat finds what the
-- first run published (or what was deleted since) and adds nothing; a late success was not charged and shows nothing;
-- an orphan was charged, so it is shown. A release that carries assets along, because its settlement did, shows
-- nothing either, and the sweep takes their bytes.
create function ledger_settle_media(
  p_by text, p_org uuid, p_request uuid, p_cost bigint, p_status text, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_input bigint, p_output bigint, p_saved bigint, p_latency integer, p_error text, p_price text,
  p_target text, p_reply text, p_assets text
) returns table (
  outcome text, charged_subscription bigint, charged_anytime bigint, written_off bigint,
  subscription_after bigint, anytime_after bigint
) language plpgsql as $$
begin
  select s.* into outcome, charged_subscription, charged_anytime, written_off, subscription_after, anytime_after
    from ledger_settle(p_by, array[p_org], array[1], array[p_request], array[p_cost], array[p_status], array[p_key],
      array[p_member], array[p_endpoint], array[p_model], array[p_input], array[p_output], array[p_saved],
      array[p_latency], array[p_error], array[p_price], array[p_target], array[p_reply]) s;
  if outcome in ('settled', 'orphan') and p_status <> 'failed' then
    perform publish_assets(p_org, p_request, p_key, p_member, p_model, charged_subscription + charged_anytime,
      p_assets::jsonb);
  end if;
  return next;
end $$;
