-- Periods of plans meet without a gap, and what was paid for stays with who paid it. The rules of 0003 hold here
-- too: the account's lock first, then the time.

-- The period that the plan's next one will be, as the last run of renewals saw it. Told shortly before it begins, so
-- that whoever finds the period before ended can open it there and then: between two runs nobody is refused.
alter table subscriptions
  add column next_start timestamptz,
  add column next_end timestamptz,
  add column next_credits bigint check (next_credits > 0),
  add constraint subscriptions_next_is_whole check (
    (next_start is null) = (next_end is null) and (next_start is null) = (next_credits is null));

-- As in 0005; what was told of another plan's month is void.
create or replace function start_subscription() returns trigger language plpgsql as $$
declare v_at timestamptz := date_trunc('milliseconds', bursar_now());
begin
  insert into subscriptions (org_id, plan, started_at, anchor, renews_at) values (new.id, new.plan, v_at, v_at, v_at)
    on conflict (org_id) do update set plan = excluded.plan, started_at = excluded.started_at,
      anchor = excluded.anchor, renews_at = excluded.renews_at, source = excluded.source,
      next_start = null, next_end = null, next_credits = null;
  return null;
end $$;

-- Opens a period on an account that has none, or whose last one was emptied.
create function open_period(
  a accounts, p_now timestamptz, p_grant uuid, p_amount bigint, p_start timestamptz, p_end timestamptz,
  p_reference text, p_description text
) returns accounts language plpgsql as $$
begin
  a.period_no := a.period_no + 1;
  a.period_start := p_start;
  a.period_end := p_end;
  a.subscription_available := p_amount;
  insert into grants values (a.org_id, p_grant, p_now, 'subscription', 'plan', p_amount, p_reference, p_start, p_end);
  return append_entry(a, p_now, 'grant', 'subscription', p_amount, null, coalesce(p_reference, p_grant::text), p_description);
end $$;

-- Opens the plan's next period where it is told and has begun. Nothing in here may fail: calls that wait for an
-- answer run through it. What an account could not hold is left to the renewals, whose failures are seen.
create function open_next_period(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
declare s subscriptions%rowtype; v_opened accounts := a;
begin
  select x.* into s from subscriptions x join organization o on o.id = x.org_id and o.active
    where x.org_id = a.org_id and x.source = 'schedule' and x.renews_at <= p_now
      and x.next_start <= p_now and x.next_end > p_now
      and not exists (select 1 from grants g
        where g.org_id = x.org_id and g.kind = 'plan' and g.period_start = x.next_start)
    for update of x;
  if not found then return a; end if;
  v_opened.period_start := s.next_start;
  v_opened.period_end := s.next_end;
  v_opened.subscription_available := s.next_credits;
  if not account_is_sound(v_opened) then return a; end if;
  update subscriptions x set renews_at = s.next_end, next_start = null, next_end = null, next_credits = null
    where x.org_id = a.org_id;
  return open_period(a, p_now, gen_random_uuid(), s.next_credits, s.next_start, s.next_end, null,
    format('monthly credits of the %s plan', s.plan));
end $$;

-- As in 0003, and the plan's next period opens in the same transaction.
create or replace function expire_due(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
declare v_left bigint := a.subscription_available;
begin
  if a.period_end is null or a.period_end > p_now then return a; end if;
  a.subscription_available := 0;
  a.period_start := null;
  a.period_end := null;
  if v_left > 0 then
    a := append_entry(a, p_now, 'expire', 'subscription', -v_left, null, null, 'subscription credits expired');
  end if;
  return open_next_period(a, p_now);
end $$;

-- As in 0004, and only while the organization has the plan that it has had since p_plan_since, where that is given:
-- whoever read the plan read it before the lock. Answers changed where it has another one.
drop function ledger_renew(uuid, uuid, bigint, timestamptz, timestamptz, text, text);
create function ledger_renew(
  p_org uuid, p_id uuid, p_amount bigint, p_start timestamptz, p_end timestamptz, p_reference text,
  p_description text, p_plan_since timestamptz default null, out outcome text, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_left bigint; v_has_plan boolean := true;
begin
  if p_end <= p_start then raise exception 'a period must end after it starts'; end if;
  account := lock_account(p_org);
  if p_plan_since is not null then
    -- Locked too: who changes the plan at this moment comes before this, or after it.
    perform 1 from subscriptions s where s.org_id = p_org and s.started_at = p_plan_since and s.source = 'schedule' for update;
    v_has_plan := found;
  end if;
  v_at := bursar_now();
  account := expire_due(account, v_at);
  outcome := case
    when exists (select 1 from grants g where g.org_id = p_org
      and ((g.kind = 'plan' and g.period_start = p_start) or g.reference = p_reference)) then 'repeat'
    when not v_has_plan then 'changed'
    when p_start > v_at then 'early'
    when p_end <= v_at then 'over'
    when account.period_start > p_start then 'stale'
    else 'renewed' end;
  if outcome = 'renewed' then
    v_left := account.subscription_available;
    if v_left > 0 then
      account.subscription_available := 0;
      account := append_entry(account, v_at, 'expire', 'subscription', -v_left, null, null,
        'subscription credits of the period before expired');
    end if;
    account := open_period(account, v_at, p_id, p_amount, p_start, p_end, p_reference, p_description);
  end if;
  perform save_account(account);
end $$;

-- As in 0010. The default plan may bring credits of its own: its months begin where the open one ends, unless all that
-- was paid for the open one has gone back.
create or replace function end_paid_subscription(p_subscription text, p_default_plan text) returns uuid language plpgsql as $$
declare s paid_subscriptions%rowtype; a accounts%rowtype;
begin
  select * into s from paid_subscriptions x where x.id = p_subscription;
  if not found then return null; end if;
  a := lock_account(s.org_id);
  delete from paid_subscriptions x where x.id = p_subscription;
  if not found then return null; end if;
  update organization set plan = p_default_plan where id = s.org_id
    and plan = (select o.item from payment_orders o where o.id = s.order_id) and plan <> p_default_plan;
  if found and a.period_end > bursar_now() and not exists (select 1 from payments p
    where p.org_id = s.org_id and p.period_start = a.period_start and p.credits > 0 and p.reversed_credits = p.credits)
  then
    update subscriptions set anchor = a.period_end, renews_at = a.period_end where org_id = s.org_id;
  end if;
  return s.org_id;
end $$;

-- As in 0010, but for what comes back: what was taken of a month goes back to it while it is the open one, so that
-- monthly credits do not become ones that never expire. Of a month that is over they come as anytime credits: it could
-- not be used to its end.
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
  update payments set reversed_credits = reversed_credits + v_change where id = p.id;
  return v_change;
end $$;
