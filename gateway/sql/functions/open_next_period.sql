-- Opens the plan's next period where it is told and has begun. Nothing in here may fail: calls that wait for an
-- answer run through it. What an account could not hold is left to the renewals, whose failures are seen.
create or replace function open_next_period(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
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
