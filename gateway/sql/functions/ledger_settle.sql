-- Ends calls: the whole hold goes back, then the cost is charged. Answers settled, repeat (the same
-- settlement again), late (the hold was ended by the sweeper; nothing is charged), orphan (neither hold
-- nor record is left; what is available pays) or absent (the same, with nothing to pay).
-- A release is a settlement of 0. What the call leaves pays the debt: what it cost was used before anything could be owed
-- from it. A repeat finds what the first one said, and changes nothing of it.
--
-- A hold may be there though its call has ended: an admission that was sent again on another connection was also
-- delivered on the first one, after the settlement. Such a second hold goes back whole, and the call stays as it ended.
-- Whether there is one is asked of the sweeper's work, and of calls that come alone: a batch that meets one fails at
-- the request's primary key, as the short way for a lone call does, and is run again call by call. So the usual
-- settlement pays nothing for it.
create or replace function ledger_settle(
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
      sum(q.written_off_credits), sum(q.input_tokens), sum(q.output_tokens), sum(q.tokens_saved), max(q.settled_at),
      coalesce(sum((q.measured->'cached_input_tokens')::bigint) filter (where q.measured ? 'cache_saved'), 0),
      coalesce(sum((q.measured->'cache_write_tokens')::bigint) filter (where q.measured ? 'cache_saved'), 0),
      coalesce(sum((q.measured->'cache_saved')::bigint), 0)
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
      last_at = greatest(rollups.last_at, excluded.last_at),
      cache_read_tokens = rollups.cache_read_tokens + excluded.cache_read_tokens,
      cache_written_tokens = rollups.cache_written_tokens + excluded.cache_written_tokens,
      cache_saved = rollups.cache_saved + excluded.cache_saved;
end $$;
