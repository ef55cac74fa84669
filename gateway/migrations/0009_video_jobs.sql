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

-- ledger_admit for one job: hold, job row and the reply for a repeat in one transaction. The same job again, after a
-- lost answer, finds its row. The account is locked before the row is looked for, as everywhere.
create function ledger_admit_job(
  p_process uuid, p_epoch integer, p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_estimate bigint, p_rate integer, p_in_flight integer, p_key_rate integer, p_ttl_ms bigint,
  p_idempotency text, p_fingerprint bytea, p_deadline_ms bigint, p_price text, p_order text, p_reply text
) returns table (
  outcome text, granted bigint, available bigint, held bigint,
  rate_limit integer, rate_left integer, reset_ms integer,
  first_request uuid, reply text, charged bigint, subscription_after bigint, anytime_after bigint
) language plpgsql set lock_timeout = '1s' as $$
declare v_now timestamptz;
begin
  perform 1 from accounts a where a.org_id = p_org for update;
  if exists (select 1 from video_jobs j where j.org_id = p_org and j.request_id = p_request) then
    return query select 'admitted', p_estimate, 0::bigint, 0::bigint, p_rate, greatest(p_rate - a.window_count, 0), 60000,
      null::uuid, null::text, 0::bigint, 0::bigint, 0::bigint from accounts a where a.org_id = p_org;
    return;
  end if;
  select x.* into outcome, granted, available, held, rate_limit, rate_left, reset_ms, first_request, reply, charged,
      subscription_after, anytime_after
    from ledger_admit(p_process, p_epoch, false, array[p_org], array[1], array[p_request], array[p_key], array[p_member],
      array[p_endpoint], array[p_model], array['job'], array[p_estimate], array[p_estimate], array[p_rate],
      array[p_in_flight], array[p_key_rate], array[null::integer], array[p_ttl_ms], array[p_idempotency],
      array[p_fingerprint]) x;
  -- A repeat while the job runs: nothing was charged yet.
  charged := coalesce(charged, 0);
  subscription_after := coalesce(subscription_after, 0);
  anytime_after := coalesce(anytime_after, 0);
  if outcome = 'admitted' then
    v_now := bursar_now();
    insert into video_jobs values (p_org, p_request, v_now, v_now + p_deadline_ms * interval '1 ms', null, 'processing',
      'queued', p_endpoint, p_model, p_key, p_member, p_estimate, p_price, p_order::jsonb, null, null, null, null, 0, 0, v_now,
      null);
    -- The caller is answered now, so from now on a repeat is answered the same.
    update idempotency d set state = 'done', reply = p_reply
      where d.org_id = p_org and d.endpoint = p_endpoint and d.key = p_idempotency and d.request_id = p_request;
  end if;
  return next;
end $$;

-- Ends a job once: what became of it, its charge or release, and its asset, in one transaction. Answers ended, or
-- settled_before (somebody ended it: nothing changes) or lease_lost (somebody else has it).
create function ledger_end_job(
  p_org uuid, p_request uuid, p_lease uuid, p_status text, p_provider_status text, p_error text, p_cost bigint,
  p_asset text, p_private text[],
  out outcome text, out charged bigint, out written_off bigint
) language plpgsql set lock_timeout = '5s' as $$
declare
  j video_jobs%rowtype;
  v_now timestamptz;
  v_reply text;
  v_latency integer;
begin
  charged := 0; written_off := 0;
  perform 1 from accounts a where a.org_id = p_org for update;
  select * into j from video_jobs x where x.org_id = p_org and x.request_id = p_request for update;
  if not found or j.status <> 'processing' then outcome := 'settled_before'; return; end if;
  if j.lease is distinct from p_lease then outcome := 'lease_lost'; return; end if;
  -- A repeat of the submission goes on to be answered as the first one was.
  select d.reply into v_reply from holds h
    join idempotency d on d.org_id = h.org_id and d.endpoint = h.endpoint and d.key = h.idempotency_key
      and d.request_id = h.request_id
    where h.org_id = p_org and h.request_id = p_request;
  v_now := bursar_now();
  v_latency := least(extract(epoch from v_now - j.created_at) * 1000, 2147483647)::integer;
  select s.charged_subscription + s.charged_anytime, s.written_off into charged, written_off
    from ledger_settle_media('call', p_org, p_request, case p_status when 'complete' then least(p_cost, j.estimate) else 0 end,
      case p_status when 'complete' then 'succeeded' else 'failed' end, j.key_id, j.member_id, j.endpoint, j.model,
      0, 0, 0, v_latency, p_error, j.price_rule, j.target, v_reply,
      case p_status when 'complete' then '[' || p_asset || ']' else '[]' end) s;
  update video_jobs x set status = p_status, provider_status = p_provider_status, ended_at = v_now, video_order = null,
      operation = null, draft = null, lease = null,
      asset_id = case p_status when 'complete' then (p_asset::jsonb->>'id')::uuid end
    where x.org_id = p_org and x.request_id = p_request;
  -- Reference media have served; should the process die before it removes them, the sweep does it soon.
  update stray_objects s set due_at = v_now where s.org_id = p_org and s.object_key = any(p_private);
  outcome := 'ended';
end $$;
