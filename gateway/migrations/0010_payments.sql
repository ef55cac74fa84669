-- Payments: what was ordered, what was paid for it, what was taken back, and the subscriptions that the payment
-- provider renews. Orders are ours and stand before anybody is sent away to pay; a payment is believed only
-- where it fits its order. The rules of 0003 hold here too: the account's lock first, then the time.

create table payment_orders (
  id uuid primary key,
  org_id uuid not null,
  created_at timestamptz not null,
  -- A person's id. No foreign key: the order outlives the account.
  ordered_by uuid not null,
  kind text not null check (kind in ('pack', 'plan')),
  -- Name of the pack or plan; credits and price are those of the day of the order, whatever the catalog says later.
  item text not null,
  credits bigint not null check (credits > 0),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  provider text not null check (provider in ('stripe', 'test')),
  status text not null default 'open' check (status in ('open', 'paid', 'expired')),
  -- The checkout at the provider, once there is one.
  checkout_id text unique,
  paid_at timestamptz
);
create index payment_orders_by_org on payment_orders (org_id, id desc);

-- One row per payment that came in: a checkout, or an invoice of a plan. What it granted, and what was taken back of it.
create table payments (
  -- The provider's word for it; the grant's reference says the same.
  id text primary key,
  org_id uuid not null,
  order_id uuid not null,
  created_at timestamptz not null,
  pool text not null check (pool in ('subscription', 'anytime')),
  -- 0 where the period that it was for is over.
  credits bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  period_start timestamptz,
  -- How refunds and disputes name it; may be learned after the credits were granted.
  charge_reference text unique,
  reversed_credits bigint not null default 0 check (reversed_credits between 0 and credits)
);
create index payments_by_order on payments (order_id);
create index payments_by_org on payments (org_id);

-- Refunds and disputes, kept even before the payment they are about is known: they may be reported first.
create table payment_reversals (
  -- The charge, for all of its refunds together, or the dispute.
  id text primary key,
  charge_reference text not null,
  kind text not null check (kind in ('refund', 'dispute')),
  amount_cents bigint not null check (amount_cents >= 0),
  -- A dispute that was decided; what is reported late about its beginning changes nothing.
  is_final boolean not null default false
);
create index payment_reversals_by_charge on payment_reversals (charge_reference);

-- The subscription by which an organization's plan is paid.
create table paid_subscriptions (
  org_id uuid primary key,
  id text not null unique,
  customer_id text not null,
  -- The standing order: every invoice must fit it.
  order_id uuid not null,
  -- The order that takes its place with the next invoice.
  next_order_id uuid,
  state text not null default 'active' check (state in ('active', 'past_due')),
  ends_at timestamptz,
  -- Where an invoice that could not be collected can be paid by hand.
  pay_url text
);

-- Subscriptions that another took the place of. They must be ended at the provider, and open no period any more.
create table replaced_subscriptions (
  id text primary key,
  org_id uuid not null,
  is_ended boolean not null default false
);
create index replaced_subscriptions_running on replaced_subscriptions (org_id) where not is_ended;

-- What owners and admins were told by mail, so that they are told once.
create table balance_notices (
  org_id uuid primary key,
  -- There were credits enough when it was last looked; falling below is told once from here.
  is_armed boolean not null default false,
  -- The end of the period whose expiry was told.
  expiry_told_for timestamptz
);

-- All but charges are few: pages of them alone must not read through a million charges.
create index entries_but_charges on entries (org_id, type, seq desc) where type <> 'charge';

-- Opens the period that an invoice (or a test order) of a plan paid for, and gives the organization that plan.
-- Answers renewed, repeat, early (try again later), over, stale (a later period is open) or replaced (of a
-- subscription that another took the place of). What was paid is written down in every case but early.
create function open_paid_period(
  p_payment text, p_order uuid, p_subscription text, p_customer text, p_start timestamptz, p_end timestamptz,
  p_renews timestamptz, p_grant uuid
) returns text language plpgsql as $$
declare
  o payment_orders%rowtype;
  a accounts%rowtype;
  v_current text;
  v_start timestamptz;
  v_outcome text;
begin
  select * into strict o from payment_orders x where x.id = p_order;
  a := lock_account(o.org_id);
  if exists (select 1 from payments p where p.id = p_payment) then return 'repeat'; end if;
  select s.id into v_current from paid_subscriptions s where s.org_id = o.org_id;
  if exists (select 1 from replaced_subscriptions r where r.id = p_subscription) then
    v_outcome := 'replaced';
  else
    -- The provider's clock may run ahead of ours a little, and counts in seconds: two plans may begin in one.
    v_start := least(p_start, date_trunc('milliseconds', bursar_now()));
    -- A period that nobody paid for, and that began while the report was on its way, must not cost the payer theirs.
    if a.period_start > v_start and not exists (select 1 from payments p
      where p.org_id = o.org_id and p.period_start = a.period_start and p.credits > 0)
    then
      v_start := date_trunc('milliseconds', bursar_now());
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
      insert into replaced_subscriptions (id, org_id) select v_current, o.org_id where v_current <> p_subscription
        on conflict do nothing;
      update payment_orders set status = 'expired' where status = 'open' and id <> o.id
        and id = (select s.next_order_id from paid_subscriptions s where s.org_id = o.org_id);
      insert into paid_subscriptions (org_id, id, customer_id, order_id)
        values (o.org_id, p_subscription, p_customer, o.id)
        on conflict (org_id) do update set id = excluded.id, customer_id = excluded.customer_id,
          order_id = excluded.order_id, next_order_id = null, state = 'active', pay_url = null,
          ends_at = case when paid_subscriptions.id = excluded.id then paid_subscriptions.ends_at end;
    end if;
  elsif v_outcome = 'stale' and v_current <> p_subscription then
    insert into replaced_subscriptions (id, org_id) values (p_subscription, o.org_id) on conflict do nothing;
  end if;
  insert into payments (id, org_id, order_id, created_at, pool, credits, amount_cents, period_start)
    values (p_payment, o.org_id, o.id, bursar_now(), 'subscription',
      case when v_outcome = 'renewed' then o.credits else 0 end, o.amount_cents, v_start);
  update payment_orders set status = 'paid', paid_at = coalesce(paid_at, bursar_now()) where id = o.id;
  return v_outcome;
end $$;

-- The subscription is over at the provider: back to the default plan, unless somebody gave it another one since.
-- A period that was paid for stays open to its end. Answers the organization; null where it is nobody's.
create function end_paid_subscription(p_subscription text, p_default_plan text) returns uuid language plpgsql as $$
declare s paid_subscriptions%rowtype;
begin
  select * into s from paid_subscriptions x where x.id = p_subscription;
  if not found then return null; end if;
  perform lock_account(s.org_id);
  delete from paid_subscriptions x where x.id = p_subscription;
  if not found then return null; end if;
  update organization set plan = p_default_plan where id = s.org_id
    and plan = (select o.item from payment_orders o where o.id = s.order_id) and plan <> p_default_plan;
  return s.org_id;
end $$;

-- Brings what was taken back of a payment in line with its refunds and disputes, as often as it is asked. Taken
-- first from what is left of the period that it opened, then from anytime credits; what was spent already is a
-- debt. Credits of a dispute that was won come back, after the debt. Answers the change; null where there is no
-- such payment yet.
create function reverse_payment(p_charge_reference text) returns bigint language plpgsql as $$
declare
  p payments%rowtype;
  a accounts%rowtype;
  v_at timestamptz;
  v_back_cents numeric;
  v_change bigint;
  v_rest bigint;
  v_part bigint;
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
  if v_change > 0 then
    if p.pool = 'subscription' and a.period_start = p.period_start then
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
    if v_rest > v_part then
      a.anytime_available := a.anytime_available + v_rest - v_part;
      a := append_entry(a, v_at, 'adjust', 'anytime', v_rest - v_part, null, p.id, 'a dispute of the payment was won');
    end if;
  end if;
  perform save_account(a);
  update payments set reversed_credits = reversed_credits + v_change where id = p.id;
  return v_change;
end $$;
