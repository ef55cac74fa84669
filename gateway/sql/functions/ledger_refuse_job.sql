-- Whether ledger_admit_job would refuse the job: its answer where it would, and nothing, also in the tables, where it would
-- admit it.
create or replace function ledger_refuse_job(
  p_process uuid, p_epoch integer, p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_estimate bigint, p_rate integer, p_in_flight integer, p_key_rate integer, p_ttl_ms bigint,
  p_idempotency text, p_fingerprint bytea, p_deadline_ms bigint, p_price text, p_order text, p_reply text
) returns table (
  outcome text, granted bigint, available bigint, held bigint,
  rate_limit integer, rate_left integer, reset_ms integer,
  first_request uuid, reply text, charged bigint, subscription_after bigint, anytime_after bigint
) language plpgsql set lock_timeout = '1s' as $$
begin
  select x.* into outcome, granted, available, held, rate_limit, rate_left, reset_ms, first_request, reply, charged,
      subscription_after, anytime_after
    from ledger_admit_job(p_process, p_epoch, p_org, p_request, p_key, p_member, p_endpoint, p_model, p_estimate, p_rate,
      p_in_flight, p_key_rate, p_ttl_ms, p_idempotency, p_fingerprint, p_deadline_ms, p_price, p_order, p_reply) x;
  -- Raised to undo what was only tried, and caught below.
  if outcome = 'admitted' then raise exception using errcode = 'BU001'; end if;
  return next;
exception when sqlstate 'BU001' then null;
end $$;
