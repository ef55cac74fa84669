-- The usual case of ledger_admit for one call: no idempotency key, no limits of its API key's own, and it may
-- start. Otherwise answers nulls and has written nothing; ledger_admit then decides. The rules are said in tables.sql
-- and only kept here: the account's lock first, then the time; a new column of a row is new in both.
create or replace function ledger_admit_one(
  p_process uuid, p_epoch integer, p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_endpoint text, p_model text,
  p_minimum bigint, p_full bigint, p_rate integer, p_in_flight integer, p_ttl_ms bigint,
  p_shares boolean default false,
  out granted bigint, out rate_left integer, out reset_ms integer
) language plpgsql as $$
declare
  v_now timestamptz;
  v_window timestamptz;
  v_window_start timestamptz;
  v_window_count integer;
  v_period_no bigint;
  v_period_end timestamptz;
  v_subscription bigint;
  v_anytime bigint;
begin
  -- After a wait for the lock the conditions on the account are asked again, of the row as it is then.
  select a.subscription_available, a.anytime_available, a.period_no, a.period_end, a.window_start, a.window_count
    into v_subscription, v_anytime, v_period_no, v_period_end, v_window_start, v_window_count
    from accounts a
    where a.org_id = p_org and a.calls_in_flight < p_in_flight and p_minimum between 0 and p_full
      and p_minimum <= a.subscription_available + a.anytime_available
      and exists (select 1 from processes p where p.process_id = p_process and p.epoch = p_epoch and p.ended_at is null)
    for update;
  if not found then return; end if;
  v_now := bursar_now();
  v_window := date_bin('60 s', v_now, 'epoch'::timestamptz);
  if v_window_start <> v_window then v_window_count := 0; end if;
  if v_window_count >= p_rate or v_period_end <= v_now then return; end if;

  granted := hold_amount(p_minimum, p_full, v_subscription + v_anytime, p_shares);
  v_subscription := least(granted, v_subscription);
  v_anytime := granted - v_subscription;
  with hold as (
    insert into holds values (p_org, p_request, 'call', v_subscription, v_anytime, v_period_no, p_process, p_epoch,
      v_now, v_now + p_ttl_ms * interval '1 ms', p_endpoint, p_model, p_key, p_member, false, null)
  )
  update accounts a set
      subscription_available = a.subscription_available - v_subscription,
      subscription_held = a.subscription_held + v_subscription,
      anytime_available = a.anytime_available - v_anytime,
      anytime_held = a.anytime_held + v_anytime,
      window_start = v_window, window_count = v_window_count + 1, calls_in_flight = a.calls_in_flight + 1
    where a.org_id = p_org;
  rate_left := p_rate - v_window_count - 1;
  reset_ms := ceil(extract(epoch from (v_window + interval '60 s' - v_now)) * 1000);
end $$;
