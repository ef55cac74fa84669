-- What was chosen, paid or refunded at one time counts, whatever is reported, renewed or given back before it or after
-- it. The rules of 0003 hold here too: the account's lock first, then the time.

-- As in 0010. The order that is to follow stays where the standing one was paid once more: the month was owed, or its
-- invoice was made, before the other was chosen. And a subscription that was ordered after the standing one takes its
-- place, though a month of that one began before its own report came, as long as it still runs at the provider; nodes of
-- before cannot say that, and take none.
drop function open_paid_period(text, uuid, text, text, timestamptz, timestamptz, timestamptz, uuid);
create function open_paid_period(
  p_payment text, p_order uuid, p_subscription text, p_customer text, p_start timestamptz, p_end timestamptz,
  p_renews timestamptz, p_grant uuid, p_is_running boolean default false
) returns text language plpgsql as $$
declare
  o payment_orders%rowtype;
  a accounts%rowtype;
  s paid_subscriptions%rowtype;
  v_next uuid;
  v_start timestamptz;
  v_after timestamptz;
  v_outcome text;
begin
  select * into strict o from payment_orders x where x.id = p_order;
  a := lock_account(o.org_id);
  if exists (select 1 from payments p where p.id = p_payment) then return 'repeat'; end if;
  -- Locked too: who chooses another plan at this moment comes before this, or after it.
  select * into s from paid_subscriptions x where x.org_id = o.org_id for update;
  if exists (select 1 from replaced_subscriptions r where r.id = p_subscription) then
    v_outcome := 'replaced';
  else
    -- The provider's clock may run ahead of ours a little, and counts in seconds: two plans may begin in one.
    v_start := least(p_start, date_trunc('milliseconds', bursar_now()));
    -- After the open one also where the clock went back: then it is early, and reported again.
    v_after := greatest(date_trunc('milliseconds', bursar_now()),
      date_trunc('milliseconds', a.period_start) + interval '1 ms');
    -- A period that nobody paid for, and that began while the report was on its way, must not cost the payer theirs.
    if a.period_start > v_start and not exists (select 1 from payments p
      where p.org_id = o.org_id and p.period_start = a.period_start and p.credits > 0)
    then
      v_start := v_after;
    elsif a.period_start > v_start and p_end > v_after and p_is_running and s.id <> p_subscription
      and o.created_at > (select x.created_at from payment_orders x where x.id = s.order_id)
    then
      v_start := v_after;
    end if;
    while exists (select 1 from grants g where g.org_id = o.org_id and g.kind = 'plan' and g.period_start = v_start) loop
      v_start := v_start + interval '1 ms';
    end loop;
    select r.outcome into v_outcome from ledger_renew(o.org_id, p_grant, o.credits, v_start, p_end, p_payment,
      format('monthly credits of the %s plan', o.item)) r;
  end if;
  if v_outcome = 'early' then return v_outcome; end if;
  if v_outcome = 'renewed' then
    -- The trigger makes a changed plan due by schedule; in the same breath it is said who opens its periods.
    update organization set plan = o.item where id = o.org_id and plan <> o.item;
    update subscriptions set started_at = v_start, anchor = v_start, renews_at = p_renews,
      source = case when p_subscription is null then 'schedule' else 'payment' end where org_id = o.org_id;
    if p_subscription is not null then
      insert into replaced_subscriptions (id, org_id) select s.id, o.org_id where s.id <> p_subscription
        on conflict do nothing;
      if s.id = p_subscription and s.order_id = o.id and s.next_order_id <> o.id then v_next := s.next_order_id; end if;
      update payment_orders set status = 'expired' where status = 'open' and id <> o.id
        and id = s.next_order_id and id is distinct from v_next;
      insert into paid_subscriptions (org_id, id, customer_id, order_id)
        values (o.org_id, p_subscription, p_customer, o.id)
        on conflict (org_id) do update set id = excluded.id, customer_id = excluded.customer_id,
          order_id = excluded.order_id, next_order_id = v_next, state = 'active', pay_url = null,
          ends_at = case when paid_subscriptions.id = excluded.id then paid_subscriptions.ends_at end;
    end if;
  elsif v_outcome = 'stale' and s.id <> p_subscription then
    insert into replaced_subscriptions (id, org_id) values (p_subscription, o.org_id) on conflict do nothing;
  end if;
  insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, period_start)
    values (p_payment, o.org_id, o.id, bursar_now(), 'subscription',
      case when v_outcome = 'renewed' then o.credits else 0 end, o.amount_cents, v_start);
  update payment_orders set status = 'paid', paid_at = coalesce(paid_at, bursar_now()) where id = o.id;
  return v_outcome;
end $$;

-- When credits were last taken for it. Who holds some of its month since holds none of what went back.
alter table payments add column reversed_at timestamptz;

-- As in 0013, and it is said when credits were taken.
create or replace function reverse_payment(p_charge_reference text) returns bigint language plpgsql as $$
declare
  p payments%rowtype;
  a accounts%rowtype;
  v_at timestamptz;
  v_back_cents numeric;
  v_change bigint;
  v_rest bigint;
  v_part bigint;
  v_is_open boolean;
begin
  select * into p from payments x where x.charge_reference = p_charge_reference;
  if not found then return null; end if;
  a := lock_account(p.org_id);
  v_at := bursar_now();
  a := expire_due(a, v_at);
  select * into p from payments x where x.charge_reference = p_charge_reference;
  select coalesce(sum(r.amount_cents), 0) into v_back_cents from payment_reversals r
    where r.charge_reference = p_charge_reference;
  v_change := trunc(p.credits * least(v_back_cents, p.amount_cents) / p.amount_cents)::bigint - p.reversed_credits;
  v_rest := abs(v_change);
  v_is_open := p.pool = 'subscription' and coalesce(a.period_start = p.period_start, false);
  if v_change > 0 then
    if v_is_open then
      v_part := least(v_rest, a.subscription_available);
      if v_part > 0 then
        a.subscription_available := a.subscription_available - v_part;
        a := append_entry(a, v_at, 'adjust', 'subscription', -v_part, null, p.id, 'the payment was refunded or disputed');
        v_rest := v_rest - v_part;
      end if;
    end if;
    v_part := least(v_rest, a.anytime_available);
    if v_part > 0 then
      a.anytime_available := a.anytime_available - v_part;
      a := append_entry(a, v_at, 'adjust', 'anytime', -v_part, null, p.id, 'the payment was refunded or disputed');
    end if;
    a.debt := a.debt + v_rest - v_part;
  elsif v_change < 0 then
    v_part := least(v_rest, a.debt);
    a.debt := a.debt - v_part;
    v_rest := v_rest - v_part;
    if v_is_open then
      select least(v_rest, coalesce(-sum(e.amount), 0)) into v_part from entries e
        where e.org_id = p.org_id and e.type = 'adjust' and e.pool = 'subscription' and e.reference = p.id;
      if v_part > 0 then
        a.subscription_available := a.subscription_available + v_part;
        a := append_entry(a, v_at, 'adjust', 'subscription', v_part, null, p.id, 'a dispute of the payment was won');
        v_rest := v_rest - v_part;
      end if;
    end if;
    if v_rest > 0 then
      a.anytime_available := a.anytime_available + v_rest;
      a := append_entry(a, v_at, 'adjust', 'anytime', v_rest, null, p.id, 'a dispute of the payment was won');
    end if;
  end if;
  perform save_account(a);
  update payments set reversed_credits = reversed_credits + v_change,
    reversed_at = case when v_change > 0 then v_at else reversed_at end where id = p.id;
  return v_change;
end $$;

-- What a call held of a month whose payment went back meanwhile belongs to that refund: it pays the debt that was made for
-- it, and cannot be spent. Not more than came back, p_back, of what was held, p_held_at, before the payment went: what
-- somebody gave to that month by hand stays. The entry names the payment, so that a dispute that is won gives it back to
-- the month.
create function pay_debt_of_month(a accounts, p_now timestamptz, p_back bigint, p_held_at timestamptz)
returns accounts language plpgsql as $$
declare p payments%rowtype; v_part bigint;
begin
  if (p_back > 0) is not true then return a; end if;
  select * into p from payments x
    where x.org_id = a.org_id and x.pool = 'subscription' and x.period_start = a.period_start
      and x.reversed_credits > 0 and x.reversed_at >= p_held_at;
  if not found then return a; end if;
  select least(a.debt, a.subscription_available, p_back, p.reversed_credits + coalesce(sum(e.amount), 0))
    into v_part from entries e
    where e.org_id = a.org_id and e.type = 'adjust' and e.pool = 'subscription' and e.reference = p.id;
  if v_part <= 0 then return a; end if;
  a.debt := a.debt - v_part;
  a.subscription_available := a.subscription_available - v_part;
  return append_entry(a, p_now, 'adjust', 'subscription', -v_part, null, p.id, 'the payment was refunded or disputed');
end $$;

-- As in 0017, and what comes back to a refunded month pays its debt.
create or replace function ledger_settle(
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

-- As in 0013, but after the open period in any case: a plan that began before it would wait for its end. Its start lies
-- ahead where the clock went back; and grants by hand begin at a finer moment than plans do.
create or replace function start_subscription() returns trigger language plpgsql as $$
declare v_at timestamptz;
begin
  select greatest(date_trunc('milliseconds', bursar_now()),
      max(date_trunc('milliseconds', a.period_start) + interval '1 ms'))
    into v_at from accounts a where a.org_id = new.id;
  insert into subscriptions (org_id, plan, started_at, anchor, renews_at) values (new.id, new.plan, v_at, v_at, v_at)
    on conflict (org_id) do update set plan = excluded.plan, started_at = excluded.started_at,
      anchor = excluded.anchor, renews_at = excluded.renews_at, source = excluded.source,
      next_start = null, next_end = null, next_credits = null;
  return null;
end $$;

-- As in 0004, but a clock that was set anew must end nobody who lives. Who asks has renewed within its own lease, by a clock
-- that nobody sets: where its lease is over all the same, those of the others say nothing either, and the answer is null.
-- And no lease is longer than one that is renewed now: one of before the clock went back would outlast its process.
drop function lease_end_expired();
create function lease_end_expired(p_judge uuid default null) returns integer language plpgsql as $$
declare v_now timestamptz := bursar_now(); v_ended integer;
begin
  if exists (select 1 from processes p where p.process_id = p_judge and p.ended_at is null and p.expires_at < v_now) then
    return null;
  end if;
  update processes set expires_at = v_now + interval '15 s' where ended_at is null and expires_at > v_now + interval '30 s';
  update processes set ended_at = v_now where ended_at is null and expires_at < v_now;
  get diagnostics v_ended = row_count;
  delete from processes p where p.ended_at < v_now - interval '1 day'
    and not exists (select 1 from holds h where h.process_id = p.process_id);
  return v_ended;
end $$;
