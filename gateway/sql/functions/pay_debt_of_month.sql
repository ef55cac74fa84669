-- What a call held of a month whose payment went back meanwhile belongs to that refund: it pays the debt that was made for
-- it, and cannot be spent. Not more than came back, p_back, of what was held, p_held_at, before the payment went: what
-- somebody gave to that month by hand stays. The entry names the payment, so that a dispute that is won gives it back to
-- the month.
create or replace function pay_debt_of_month(a accounts, p_now timestamptz, p_back bigint, p_held_at timestamptz)
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
