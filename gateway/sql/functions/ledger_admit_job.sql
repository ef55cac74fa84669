-- ledger_admit for one job: hold, job row and the reply for a repeat in one transaction. The same job again, after a
-- lost answer, finds its row. The account is locked before the row is looked for, as everywhere.
create or replace function ledger_admit_job(
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
