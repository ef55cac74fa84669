-- Ends a job once: what became of it, its charge or release, and its asset, in one transaction. Answers ended, or
-- settled_before (somebody ended it: nothing changes) or lease_lost (somebody else has it).
create or replace function ledger_end_job(
  p_org uuid, p_request uuid, p_lease uuid, p_status text, p_provider_status text, p_error text, p_cost bigint,
  p_asset text, p_private text[], p_measured text default null, p_reason text default null,
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
      case p_status when 'complete' then '[' || p_asset || ']' else '[]' end,
      case p_status when 'complete' then p_measured end, p_reason) s;
  update video_jobs x set status = p_status, provider_status = p_provider_status, ended_at = v_now, video_order = null,
      operation = null, draft = null, lease = null,
      asset_id = case p_status when 'complete' then (p_asset::jsonb->>'id')::uuid end
    where x.org_id = p_org and x.request_id = p_request;
  -- Reference media have served; should the process die before it removes them, the sweep does it soon.
  update stray_objects s set due_at = v_now where s.org_id = p_org and s.object_key = any(p_private);
  outcome := 'ended';
end $$;
