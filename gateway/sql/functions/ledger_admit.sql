-- May these calls start? Answers replay, running, conflict, rate_limited, too_many_in_flight,
-- insufficient or admitted, checked in that order; lease_lost when the process no longer owns its epoch.
-- A key's own window is read before a repeat is answered, which does not count in it and says where the key stands, as
-- every other answer does. By a time that is doubted no repeat is too late, and a clock that went back shortens nobody's
-- day. Nodes of before leave out p_shares, whether the call shares: theirs do not.
create or replace function ledger_admit(
  p_process uuid, p_epoch integer, p_retry boolean, p_org uuid[], p_count integer[],
  p_request uuid[], p_key uuid[], p_member uuid[], p_endpoint text[], p_model text[], p_kind text[],
  p_minimum bigint[], p_full bigint[], p_rate integer[], p_in_flight integer[],
  p_key_rate integer[], p_key_in_flight integer[], p_ttl_ms bigint[],
  p_idempotency text[], p_fingerprint bytea[], p_shares boolean[] default null
) returns table (
  outcome text, granted bigint, available bigint, held bigint,
  rate_limit integer, rate_left integer, reset_ms integer,
  first_request uuid, reply text, charged bigint, subscription_after bigint, anytime_after bigint
) language plpgsql
as $$
declare
  a accounts%rowtype;
  k key_windows%rowtype;
  f record;
  v_now timestamptz;
  v_window timestamptz;
  v_lease boolean;
  o integer := 0;
  i integer := 0;
  v_has_key boolean;
  v_from_subscription bigint;
  v_holds holds[] := '{}';
begin
  v_lease := exists (select 1 from processes p where p.process_id = p_process and p.epoch = p_epoch and p.ended_at is null);
  for a in select * from accounts x where x.org_id = any(p_org) order by x.org_id for update loop
    o := o + 1;
    if a.org_id <> p_org[o] then raise exception 'no account for organization %', p_org[o]; end if;
    v_now := bursar_now();
    v_window := date_bin('60 s', v_now, 'epoch'::timestamptz);
    if a.period_end <= v_now then a := expire_due(a, v_now); end if;
    if a.window_start <> v_window then a.window_start := v_window; a.window_count := 0; end if;
    for n in 1 .. p_count[o] loop
      i := i + 1;
      -- Null too: least() passes over it, and a call without a minimum would start on nothing.
      if (p_minimum[i] between 0 and p_full[i]) is not true then
        raise exception 'a hold needs 0 <= minimum <= full, not % and %', p_minimum[i], p_full[i];
      end if;
      granted := 0; first_request := null; reply := null; charged := 0; subscription_after := 0; anytime_after := 0;
      available := a.subscription_available + a.anytime_available;
      held := a.subscription_held + a.anytime_held;
      rate_limit := p_rate[i];
      rate_left := greatest(p_rate[i] - a.window_count, 0);
      reset_ms := ceil(extract(epoch from (v_window + interval '60 s' - v_now)) * 1000);

      if not v_lease then
        outcome := 'lease_lost'; return next; continue;
      end if;

      v_has_key := p_key_rate[i] is not null or p_key_in_flight[i] is not null;
      if v_has_key then
        select * into k from key_windows w where w.org_id = a.org_id and w.key_id = p_key[i];
        if not found then
          insert into key_windows values (a.org_id, p_key[i], v_window, 0, 0) returning * into k;
        elsif k.window_start <> v_window then
          k.window_start := v_window; k.window_count := 0;
        end if;
        if p_key_rate[i] is not null and p_key_rate[i] - k.window_count < rate_left then
          rate_limit := p_key_rate[i]; rate_left := greatest(p_key_rate[i] - k.window_count, 0);
        end if;
      end if;

      -- After a lost answer the first run may have been committed: its hold is the answer.
      if p_retry then
        select h.subscription + h.anytime into granted from holds h where h.org_id = a.org_id and h.request_id = p_request[i];
        if found then outcome := 'admitted'; return next; continue; end if;
        granted := 0;
      end if;

      if p_idempotency[i] is not null then
        select d.state, d.fingerprint, d.request_id, d.reply, r.charged_subscription + r.charged_anytime as charged,
            r.subscription_after, r.anytime_after into f
          from idempotency d left join requests r on r.org_id = d.org_id and r.request_id = d.request_id
          where d.org_id = a.org_id and d.endpoint = p_endpoint[i] and d.key = p_idempotency[i]
            and d.key_id = p_key[i] and (d.state = 'running' or d.expires_at > v_now or not time_is_believed());
        if found then
          first_request := f.request_id;
          if f.fingerprint <> p_fingerprint[i] then outcome := 'conflict';
          elsif f.state = 'running' then outcome := 'running';
          else
            outcome := 'replay'; reply := f.reply; charged := f.charged;
            subscription_after := f.subscription_after; anytime_after := f.anytime_after;
          end if;
          return next; continue;
        end if;
      end if;

      if rate_left <= 0 then
        outcome := 'rate_limited'; return next; continue;
      end if;
      if (p_kind[i] = 'call' and a.calls_in_flight >= p_in_flight[i])
        or (p_kind[i] = 'job' and a.jobs_in_flight >= p_in_flight[i])
        or (v_has_key and p_key_in_flight[i] is not null and k.calls_in_flight >= p_key_in_flight[i])
      then
        outcome := 'too_many_in_flight'; return next; continue;
      end if;

      a.window_count := a.window_count + 1;
      rate_left := rate_left - 1;
      if p_minimum[i] > available then
        outcome := 'insufficient';
      else
        outcome := 'admitted';
        granted := hold_amount(p_minimum[i], p_full[i], available, p_shares[i]);
        v_from_subscription := least(granted, a.subscription_available);
        a.subscription_available := a.subscription_available - v_from_subscription;
        a.subscription_held := a.subscription_held + v_from_subscription;
        a.anytime_available := a.anytime_available - (granted - v_from_subscription);
        a.anytime_held := a.anytime_held + (granted - v_from_subscription);
        if p_kind[i] = 'call' then a.calls_in_flight := a.calls_in_flight + 1;
        else a.jobs_in_flight := a.jobs_in_flight + 1; end if;
        v_holds := array_append(v_holds, row(a.org_id, p_request[i], p_kind[i], v_from_subscription,
          granted - v_from_subscription, a.period_no, p_process, p_epoch, v_now,
          v_now + p_ttl_ms[i] * interval '1 ms', p_endpoint[i], p_model[i], p_key[i], p_member[i],
          p_kind[i] = 'call' and p_key_in_flight[i] is not null, p_idempotency[i])::holds);
        if p_idempotency[i] is not null then
          insert into idempotency values (a.org_id, p_endpoint[i], p_idempotency[i], p_fingerprint[i], p_request[i],
              'running', null, greatest(v_now, expected_at()) + interval '24 hours', p_key[i])
            on conflict (org_id, endpoint, key, key_id) do update set fingerprint = excluded.fingerprint,
              request_id = excluded.request_id, state = 'running', reply = null, expires_at = excluded.expires_at;
        end if;
      end if;
      if v_has_key then
        update key_windows w set window_start = k.window_start, window_count = k.window_count + 1,
            calls_in_flight = k.calls_in_flight
              + (outcome = 'admitted' and p_kind[i] = 'call' and p_key_in_flight[i] is not null)::integer
          where w.org_id = a.org_id and w.key_id = p_key[i];
      end if;
      return next;
    end loop;
    perform save_account(a);
  end loop;
  if o <> cardinality(p_org) then raise exception 'no account for organization %', p_org[o + 1]; end if;

  insert into holds select * from unnest(v_holds);
end $$;
