-- The usual case of ledger_settle for one call: its hold is there, no idempotency key and no count of its API key
-- hang on it, what it held of a period can go back to it, one pool pays it all, and there is no debt. Otherwise answers
-- nulls and has written nothing; ledger_settle then decides.
create or replace function ledger_settle_one(
  p_org uuid, p_request uuid, p_cost bigint, p_status text, p_key uuid, p_member uuid, p_endpoint text, p_model text,
  p_input bigint, p_output bigint, p_saved bigint, p_latency integer, p_error text, p_price text, p_target text,
  p_measured text default null, p_reason text default null,
  out charged_subscription bigint, out charged_anytime bigint, out written_off bigint,
  out subscription_after bigint, out anytime_after bigint
) language plpgsql as $$
declare
  v_now timestamptz;
  v_created_at timestamptz;
  v_period_end timestamptz;
  v_subscription bigint;
  v_subscription_held bigint;
  v_anytime bigint;
  v_anytime_held bigint;
  v_held bigint;
  v_charge bigint;
  v_pool text;
  v_balance bigint;
  v_text text;
  v_seq bigint;
  v_hash bytea;
  v_cache jsonb := case when p_measured like '%"cache_saved"%' then p_measured end;
begin
  -- The account with the whole hold given back. Of the two only the account is locked, and read again after a
  -- wait; the hold may be gone by then, and the end of this function sees to that.
  select a.subscription_available + h.subscription, a.subscription_held - h.subscription,
      a.anytime_available + h.anytime, a.anytime_held - h.anytime, a.period_end, a.entry_seq, a.entry_hash,
      h.subscription + h.anytime, h.created_at
    into v_subscription, v_subscription_held, v_anytime, v_anytime_held, v_period_end, v_seq, v_hash, v_held, v_created_at
    from accounts a join holds h on h.org_id = a.org_id
    where a.org_id = p_org and h.request_id = p_request and p_cost >= 0 and a.debt = 0
      and h.kind = 'call' and not h.key_counted and h.idempotency_key is null
      and (h.subscription = 0 or (a.period_end is not null and h.period_no = a.period_no))
    for update of a;
  if not found then return; end if;
  v_now := bursar_now();
  v_charge := least(p_cost, 2 * v_held);
  if v_period_end <= v_now or (v_subscription > 0 and v_charge > v_subscription) then return; end if;

  charged_subscription := least(v_charge, v_subscription);
  charged_anytime := least(v_charge - charged_subscription, v_anytime);
  subscription_after := v_subscription - charged_subscription;
  anytime_after := v_anytime - charged_anytime;
  v_charge := charged_subscription + charged_anytime;
  written_off := p_cost - v_charge;
  if v_charge > 0 then
    v_pool := case when v_subscription > 0 then 'subscription' else 'anytime' end;
    v_balance := case when v_subscription > 0 then subscription_after + v_subscription_held
      else anytime_after + v_anytime_held end;
    v_text := p_endpoint || ' ' || p_model;
    v_seq := v_seq + 1;
    v_hash := entry_hash(v_hash, p_org, v_seq, v_now, 'charge', v_pool, -v_charge, v_balance, p_request, null, v_text);
  end if;
  with account as (
    update accounts a set
        subscription_available = subscription_after, subscription_held = v_subscription_held,
        anytime_available = anytime_after, anytime_held = v_anytime_held,
        calls_in_flight = a.calls_in_flight - 1, entry_seq = v_seq, entry_hash = v_hash
      where a.org_id = p_org
  ), entry as (
    insert into entries
      select p_org, v_seq, v_now, 'charge', v_pool, -v_charge, v_balance, p_request, null, v_text, v_hash
        where v_charge > 0
  ), request as (
    insert into requests values (p_org, p_request, v_created_at, v_now, 'call', p_status, p_endpoint, p_model, p_key,
      p_member, v_held, charged_subscription, charged_anytime, written_off, subscription_after, anytime_after,
      p_input, p_output, p_saved, p_latency, p_error, p_price, p_target, null,
      p_measured::jsonb, p_reason)
  ), rollup as (
    insert into rollups values (p_org, (v_now at time zone 'UTC')::date, p_key, p_member, p_model, p_endpoint, 1,
        (p_status = 'failed')::integer, v_charge, written_off, p_input, p_output, p_saved, v_now,
        coalesce((v_cache->'cached_input_tokens')::bigint, 0), coalesce((v_cache->'cache_write_tokens')::bigint, 0),
        coalesce((v_cache->'cache_saved')::bigint, 0))
      on conflict (org_id, day, key_id, member_id, model, endpoint) do update set
        requests = rollups.requests + excluded.requests,
        failed_requests = rollups.failed_requests + excluded.failed_requests,
        credits_charged = rollups.credits_charged + excluded.credits_charged,
        written_off_credits = rollups.written_off_credits + excluded.written_off_credits,
        input_tokens = rollups.input_tokens + excluded.input_tokens,
        output_tokens = rollups.output_tokens + excluded.output_tokens,
        tokens_saved = rollups.tokens_saved + excluded.tokens_saved,
        last_at = greatest(rollups.last_at, excluded.last_at),
        cache_read_tokens = rollups.cache_read_tokens + excluded.cache_read_tokens,
        cache_written_tokens = rollups.cache_written_tokens + excluded.cache_written_tokens,
        cache_saved = rollups.cache_saved + excluded.cache_saved
  )
  delete from holds h where h.org_id = p_org and h.request_id = p_request;
  -- Somebody ended it during the wait: nothing of this has happened, and ledger_settle finds out what did.
  if not found then raise exception 'the hold of % was ended meanwhile', p_request; end if;
end $$;
