-- Why a call failed or was cut, kept with its request. The rules of 0003 hold here too: the account's lock first, then the
-- time.

-- One of src/kit/failure-reason.ts, which alone lists them, so that an older node is not refused a newer one's. Null where
-- the call ended as it should, or nothing is known, and in rows of versions before.
alter table requests add column reason text;

-- Each function below takes it last, and nodes of before leave it out. Two functions of one name would leave open which of
-- them they mean, so the one of before goes.
drop function ledger_end_job(uuid, uuid, uuid, text, text, text, bigint, text, text[], text);
drop function ledger_settle_media(
  text, uuid, uuid, bigint, text, uuid, uuid, text, text, bigint, bigint, bigint, integer, text, text, text, text, text,
  text);
drop function ledger_settle_one(
  uuid, uuid, bigint, text, uuid, uuid, text, text, bigint, bigint, bigint, integer, text, text, text, text);
drop function ledger_settle(
  text, uuid[], integer[], uuid[], bigint[], text[], uuid[], uuid[], text[], text[], bigint[], bigint[], bigint[],
  integer[], text[], text[], text[], text[], text[]);

-- As in 0026, and the reason is kept. A repeat finds what the first one said, and changes nothing of it.
create function ledger_settle(
  p_by text, p_org uuid[], p_count integer[],
  p_request uuid[], p_cost bigint[], p_status text[], p_key uuid[], p_member uuid[], p_endpoint text[], p_model text[],
  p_input bigint[], p_output bigint[], p_saved bigint[], p_latency integer[], p_error text[],
  p_price text[], p_target text[], p_reply text[], p_measured text[] default null,
  p_reason text[] default null
) returns table (
  outcome text, charged_subscription bigint, charged_anytime bigint, written_off bigint,
  subscription_after bigint, anytime_after bigint
) language plpgsql
as $$
declare
  a accounts%rowtype;
  h holds%rowtype;
  r requests%rowtype;
  v_now timestamptz;
  v_is_held boolean;
  v_asks_record boolean := p_by = 'sweeper' or cardinality(p_request) = 1;
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
      v_is_held := found;
      if v_asks_record or not v_is_held then
        select * into r from requests q where q.org_id = a.org_id and q.request_id = p_request[i];
        if found then
          if v_is_held then
            a := give_back_second_hold(a, h, v_now);
            if a.debt > 0 then
              if h.period_no = a.period_no and a.period_end is not null then
                a := pay_debt_of_month(a, v_now, h.subscription, h.created_at);
              end if;
              a := pay_debt(a, v_now, p_request[i]::text);
            end if;
          end if;
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
      end if;
      if not v_is_held then
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
      if a.debt > 0 then
        a := pay_debt_of_month(a, v_now, h.subscription - v_old - v_from_subscription, h.created_at);
        a := pay_debt(a, v_now, p_request[i]::text);
      end if;
      subscription_after := a.subscription_available;
      anytime_after := a.anytime_available;

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
        p_target[i], null, p_measured[i]::jsonb, p_reason[i])::requests);
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

-- As in 0026, and the reason is kept.
create function ledger_settle_one(
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
        (p_status = 'failed')::integer, v_charge, written_off, p_input, p_output, p_saved, v_now)
      on conflict (org_id, day, key_id, member_id, model, endpoint) do update set
        requests = rollups.requests + excluded.requests,
        failed_requests = rollups.failed_requests + excluded.failed_requests,
        credits_charged = rollups.credits_charged + excluded.credits_charged,
        written_off_credits = rollups.written_off_credits + excluded.written_off_credits,
        input_tokens = rollups.input_tokens + excluded.input_tokens,
        output_tokens = rollups.output_tokens + excluded.output_tokens,
        tokens_saved = rollups.tokens_saved + excluded.tokens_saved,
        last_at = greatest(rollups.last_at, excluded.last_at)
  )
  delete from holds h where h.org_id = p_org and h.request_id = p_request;
  -- Somebody ended it during the wait: nothing of this has happened, and ledger_settle finds out what did.
  if not found then raise exception 'the hold of % was ended meanwhile', p_request; end if;
end $$;

-- As in 0026, and the reason is kept.
create function ledger_settle_media(
  p_by text, p_org uuid, p_request uuid, p_cost bigint, p_status text, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_input bigint, p_output bigint, p_saved bigint, p_latency integer, p_error text, p_price text,
  p_target text, p_reply text, p_assets text, p_measured text default null,
  p_reason text default null
) returns table (
  outcome text, charged_subscription bigint, charged_anytime bigint, written_off bigint,
  subscription_after bigint, anytime_after bigint
) language plpgsql as $$
begin
  select s.* into outcome, charged_subscription, charged_anytime, written_off, subscription_after, anytime_after
    from ledger_settle(p_by, array[p_org], array[1], array[p_request], array[p_cost], array[p_status], array[p_key],
      array[p_member], array[p_endpoint], array[p_model], array[p_input], array[p_output], array[p_saved],
      array[p_latency], array[p_error], array[p_price], array[p_target], array[p_reply],
      array[p_measured], array[p_reason]) s;
  if outcome in ('settled', 'orphan') and p_status <> 'failed' then
    perform publish_assets(p_org, p_request, p_key, p_member, p_model, charged_subscription + charged_anytime,
      p_assets::jsonb);
  end if;
  return next;
end $$;

-- As in 0026, and the reason is kept.
create function ledger_end_job(
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
