-- What an account has, what its open period brought (every grant that joined it), and whether that is little: the
-- console and the letters must never differ about it. Credits that running calls hold are not spent yet, so they
-- count: a long call must not look like an empty purse. A period that has not been seen to end counts.
create or replace function balance_standing(a accounts, p_low_credits bigint, p_low_percent bigint)
returns table (available bigint, granted bigint, is_low boolean) language sql stable as $$
  select b.available, b.granted, b.available < greatest(p_low_credits, b.granted * p_low_percent / 100)
  from (select
    case when p.is_open then a.subscription_available else 0 end
      + a.subscription_held + a.anytime_available + a.anytime_held as available,
    (select coalesce(sum(g.amount), 0)::bigint from grants g where g.org_id = a.org_id
      and g.period_start = a.period_start and p.is_open) as granted
    from (select a.period_end > bursar_now() or not time_is_believed() as is_open) p) b
$$;
