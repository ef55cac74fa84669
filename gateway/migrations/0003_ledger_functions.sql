-- The only writers of credits. Lock order everywhere: accounts first, by id. Time is read after the lock.
-- The hot functions are called on connections that bound the wait for locks and keep generic plans that go by
-- indexes; settings of the functions themselves would be made and undone at each call.
-- Callers hand over items grouped by organization, organizations in ascending order of id; within an
-- organization items are decided in order of arrival. Each account is written once per batch, and new rows
-- are collected as whole rows and inserted in one go, which is three times quicker than one by one: a
-- column added to holds, entries or requests must be added to the rows built here, in the same migration.

-- Appends one entry outside the hot path and returns the account with its new head.
create function append_entry(
  a accounts, p_now timestamptz, p_type text, p_pool text, p_amount bigint,
  p_request uuid, p_reference text, p_description text
) returns accounts language plpgsql as $$
declare
  v_balance bigint := case p_pool
    when 'subscription' then a.subscription_available + a.subscription_held
    else a.anytime_available + a.anytime_held end;
begin
  a.entry_seq := a.entry_seq + 1;
  a.entry_hash := entry_hash(a.entry_hash, a.org_id, a.entry_seq, p_now, p_type, p_pool, p_amount,
    v_balance, p_request, p_reference, p_description);
  insert into entries values (a.org_id, a.entry_seq, p_now, p_type, p_pool, p_amount, v_balance,
    p_request, p_reference, p_description, a.entry_hash);
  return a;
end $$;

-- Closes a period that has ended: what is available expires, what is held stays with its holds.
create function expire_due(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
declare v_left bigint := a.subscription_available;
begin
  if a.period_end is null or a.period_end > p_now then return a; end if;
  a.subscription_available := 0;
  a.period_start := null;
  a.period_end := null;
  if v_left > 0 then
    a := append_entry(a, p_now, 'expire', 'subscription', -v_left, null, null, 'subscription credits expired');
  end if;
  return a;
end $$;

-- In plpgsql, whose plan is kept: as an SQL function it would be planned at each call.
create function save_account(a accounts) returns void language plpgsql as $$
begin
  update accounts set
    subscription_available = a.subscription_available, subscription_held = a.subscription_held,
    anytime_available = a.anytime_available, anytime_held = a.anytime_held, debt = a.debt,
    period_no = a.period_no, period_start = a.period_start, period_end = a.period_end,
    entry_seq = a.entry_seq, entry_hash = a.entry_hash,
    window_start = a.window_start, window_count = a.window_count,
    calls_in_flight = a.calls_in_flight, jobs_in_flight = a.jobs_in_flight
  where org_id = a.org_id;
end $$;

-- May these calls start? Answers replay, running, conflict, rate_limited, too_many_in_flight,
-- insufficient or admitted, checked in that order; lease_lost when the process no longer owns its epoch.
create function ledger_admit(
  p_process uuid, p_epoch integer, p_retry boolean, p_org uuid[], p_count integer[],
  p_request uuid[], p_key uuid[], p_member uuid[], p_endpoint text[], p_model text[], p_kind text[],
  p_minimum bigint[], p_full bigint[], p_rate integer[], p_in_flight integer[],
  p_key_rate integer[], p_key_in_flight integer[], p_ttl_ms bigint[],
  p_idempotency text[], p_fingerprint bytea[]
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
            and (d.state = 'running' or d.expires_at > v_now);
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
        granted := least(p_full[i], available);
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
              'running', null, v_now + interval '24 hours')
            on conflict (org_id, endpoint, key) do update set fingerprint = excluded.fingerprint,
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

-- Ends calls: the whole hold goes back, then the cost is charged. Answers settled, repeat (the same
-- settlement again), late (the hold was ended by the sweeper; nothing is charged), orphan (neither hold
-- nor record is left; what is available pays) or absent (the same, with nothing to pay).
-- A release is a settlement of 0.
create function ledger_settle(
  p_by text, p_org uuid[], p_count integer[],
  p_request uuid[], p_cost bigint[], p_status text[], p_key uuid[], p_member uuid[], p_endpoint text[], p_model text[],
  p_input bigint[], p_output bigint[], p_saved bigint[], p_latency integer[], p_error text[],
  p_price text[], p_target text[], p_reply text[]
) returns table (
  outcome text, charged_subscription bigint, charged_anytime bigint, written_off bigint,
  subscription_after bigint, anytime_after bigint
) language plpgsql
as $$
declare
  a accounts%rowtype;
  h holds%rowtype;
  r record;
  v_now timestamptz;
  o integer := 0;
  i integer := 0;
  v_held bigint;
  v_old bigint;
  v_charge bigint;
  v_from_old bigint;
  v_from_subscription bigint;
  v_from_anytime bigint;
  v_text text;
  v_requests requests[] := '{}';
  v_entries entries[] := '{}';
  v_type text;
  v_pool text;
  v_amount bigint;
  v_balance bigint;
begin
  for a in select * from accounts x where x.org_id = any(p_org) order by x.org_id for update loop
    o := o + 1;
    if a.org_id <> p_org[o] then raise exception 'no account for organization %', p_org[o]; end if;
    v_now := bursar_now();
    if a.period_end <= v_now then a := expire_due(a, v_now); end if;
    for n in 1 .. p_count[o] loop
      i := i + 1;
      if (p_cost[i] >= 0) is not true then raise exception 'a cost cannot be negative: %', p_cost[i]; end if;
      delete from holds x where x.org_id = a.org_id and x.request_id = p_request[i] returning * into h;
      if not found then
        select * into r from requests q where q.org_id = a.org_id and q.request_id = p_request[i];
        if found then
          if r.ended_by = 'call' or p_by = 'sweeper' then
            outcome := 'repeat';
          else
            outcome := 'late';
            update requests q set late_cost = p_cost[i]
              where q.org_id = a.org_id and q.request_id = p_request[i] and q.late_cost is null;
          end if;
          charged_subscription := r.charged_subscription; charged_anytime := r.charged_anytime;
          written_off := r.written_off_credits;
          subscription_after := r.subscription_after; anytime_after := r.anytime_after;
          return next; continue;
        end if;
        -- A release of what was never admitted leaves no trace.
        if p_cost[i] = 0 then
          outcome := 'absent'; charged_subscription := 0; charged_anytime := 0; written_off := 0;
          subscription_after := a.subscription_available; anytime_after := a.anytime_available;
          return next; continue;
        end if;
        outcome := 'orphan';
        v_held := 0; v_old := 0;
        v_charge := least(p_cost[i], a.subscription_available + a.anytime_available);
        h.created_at := v_now; h.idempotency_key := null;
      else
        outcome := 'settled';
        v_held := h.subscription + h.anytime;
        a.subscription_held := a.subscription_held - h.subscription;
        a.anytime_held := a.anytime_held - h.anytime;
        a.anytime_available := a.anytime_available + h.anytime;
        if a.period_end is not null and h.period_no = a.period_no then
          v_old := 0;
          a.subscription_available := a.subscription_available + h.subscription;
        else
          v_old := h.subscription;
        end if;
        if h.kind = 'call' then a.calls_in_flight := a.calls_in_flight - 1;
        else a.jobs_in_flight := a.jobs_in_flight - 1; end if;
        if h.key_counted then
          update key_windows w set calls_in_flight = w.calls_in_flight - 1
            where w.org_id = a.org_id and w.key_id = h.key_id;
        end if;
        -- What was used beyond the hold is taken from what is available, at most one more hold.
        v_charge := least(p_cost[i], 2 * v_held);
      end if;

      v_from_old := least(v_charge, v_old);
      v_from_subscription := least(v_charge - v_from_old, a.subscription_available);
      v_from_anytime := least(v_charge - v_from_old - v_from_subscription, a.anytime_available);
      a.subscription_available := a.subscription_available - v_from_subscription;
      a.anytime_available := a.anytime_available - v_from_anytime;
      charged_subscription := v_from_old + v_from_subscription;
      charged_anytime := v_from_anytime;
      written_off := p_cost[i] - charged_subscription - charged_anytime;
      subscription_after := a.subscription_available;
      anytime_after := a.anytime_available;

      v_text := p_endpoint[i] || ' ' || p_model[i];
      for step in 1 .. 3 loop
        if step = 1 then
          v_amount := charged_subscription; v_type := 'charge'; v_pool := 'subscription';
          -- What is about to expire from an ended period still counts here; its own entry takes it away.
          v_balance := a.subscription_available + a.subscription_held + v_old - v_from_old;
        elsif step = 2 then
          v_amount := charged_anytime; v_type := 'charge'; v_pool := 'anytime';
          v_balance := a.anytime_available + a.anytime_held;
        else
          v_amount := v_old - v_from_old; v_type := 'expire'; v_pool := 'subscription';
          v_balance := a.subscription_available + a.subscription_held;
        end if;
        if v_amount > 0 then
          a.entry_seq := a.entry_seq + 1;
          a.entry_hash := entry_hash(a.entry_hash, a.org_id, a.entry_seq, v_now, v_type, v_pool, -v_amount,
            v_balance, p_request[i], null, v_text);
          v_entries := array_append(v_entries, row(a.org_id, a.entry_seq, v_now, v_type, v_pool, -v_amount,
            v_balance, p_request[i], null, v_text, a.entry_hash)::entries);
        end if;
      end loop;

      if h.idempotency_key is not null then
        -- A call that ended at 0 without success frees its key; anything else can be replayed.
        if charged_subscription + charged_anytime > 0 or p_status[i] = 'succeeded' then
          update idempotency d set state = 'done', reply = p_reply[i]
            where d.org_id = a.org_id and d.endpoint = p_endpoint[i] and d.key = h.idempotency_key
              and d.request_id = p_request[i];
        else
          delete from idempotency d where d.org_id = a.org_id and d.endpoint = p_endpoint[i]
            and d.key = h.idempotency_key and d.request_id = p_request[i];
        end if;
      end if;

      v_requests := array_append(v_requests, row(a.org_id, p_request[i], h.created_at, v_now, p_by, p_status[i],
        p_endpoint[i], p_model[i], p_key[i], p_member[i], v_held, charged_subscription, charged_anytime, written_off,
        subscription_after, anytime_after, p_input[i], p_output[i], p_saved[i], p_latency[i], p_error[i], p_price[i],
        p_target[i], null)::requests);
      return next;
    end loop;
    perform save_account(a);
  end loop;
  if o <> cardinality(p_org) then raise exception 'no account for organization %', p_org[o + 1]; end if;

  insert into entries select * from unnest(v_entries);
  insert into requests select * from unnest(v_requests);
  insert into rollups
    select q.org_id, (q.settled_at at time zone 'UTC')::date, q.key_id, q.member_id, q.model, q.endpoint, count(*),
      count(*) filter (where q.status = 'failed'), sum(q.charged_subscription + q.charged_anytime),
      sum(q.written_off_credits), sum(q.input_tokens), sum(q.output_tokens), sum(q.tokens_saved), max(q.settled_at)
    from unnest(v_requests) q
    group by 1, 2, 3, 4, 5, 6
    on conflict (org_id, day, key_id, member_id, model, endpoint) do update set
      requests = rollups.requests + excluded.requests,
      failed_requests = rollups.failed_requests + excluded.failed_requests,
      credits_charged = rollups.credits_charged + excluded.credits_charged,
      written_off_credits = rollups.written_off_credits + excluded.written_off_credits,
      input_tokens = rollups.input_tokens + excluded.input_tokens,
      output_tokens = rollups.output_tokens + excluded.output_tokens,
      tokens_saved = rollups.tokens_saved + excluded.tokens_saved,
      last_at = greatest(rollups.last_at, excluded.last_at);
end $$;
