-- Opens the period that an invoice (or a test order) of a plan paid for, and gives the organization that plan.
-- Answers renewed, repeat, early (try again later), over, stale (a later period is open) or replaced (of a
-- subscription that another took the place of). What was paid is written down in every case but early.
-- The order that is to follow stays where the standing one was paid once more: the month was owed, or its invoice was
-- made, before the other was chosen. And a subscription that was ordered after the standing one takes its place, though
-- a month of that one began before its own report came, as long as it still runs at the provider; nodes of before cannot
-- say that, and take none. A subscription that was ordered before the standing one, and of which nothing was known, is
-- not the plan because a later month of it is paid: it is ended, as it would be had its first report come late. Not so
-- where nothing is taken from anybody, as the standing one has no paid month that is open: its end may be unknown as well.
create or replace function open_paid_period(
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
  -- A checkout can be paid for a day: a month that begins later is not the first one of its order.
  elsif s.id <> p_subscription and p_start > o.created_at + interval '2 days'
    and a.period_end > bursar_now() and p_end > bursar_now()
    and exists (select 1 from payments p join payment_orders x on x.id = p.order_id
      where p.order_id = s.order_id and p.period_start = a.period_start and p.credits > p.reversed_credits
        and x.created_at > o.created_at)
  then
    v_outcome := 'stale';
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
