-- The subscription is over at the provider: back to the default plan, unless somebody gave it another one since.
-- A period that was paid for stays open to its end. The default plan may bring credits of its own: its months begin where
-- the open one ends, unless all that was paid for the open one has gone back. Answers the organization; null where it is
-- nobody's.
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
