-- Writes the events of balances that ran low and of monthly credits that expire soon; each once, whoever else looks.
-- A balance has run low if an earlier look saw it sufficient, or if a grant of the last day, sufficient by itself, was
-- spent before any look saw it. Expiry is told only if it is worth it: at least a hundredth of the month's credits.
-- Accounts have no index on columns that change often, so this reads all of them; there is one per organization.
create or replace function tell_balances(p_low_credits bigint, p_low_percent bigint, p_expiry_days integer)
returns void language plpgsql as $$
declare
  v_at timestamptz := bursar_now();
  s record;
begin
  insert into balance_notices as n (org_id, is_armed)
    select a.org_id, true from accounts a join organization o on o.id = a.org_id and o.active
    cross join lateral balance_standing(a, p_low_credits, p_low_percent) b
    where not b.is_low and b.available > 0
      and not exists (select from balance_notices x where x.org_id = a.org_id and x.is_armed)
    on conflict (org_id) do update set is_armed = true where not n.is_armed;
  for s in
    select a.org_id, a.subscription_available, a.period_end, b.available, n.low_told_at,
      b.is_low and (coalesce(n.is_armed, false) or exists (
        select from grants g where g.org_id = a.org_id and g.amount >= greatest(p_low_credits, b.granted * p_low_percent / 100)
          and g.created_at > v_at - interval '1 day' and g.created_at > coalesce(n.low_told_at, '-infinity'))) as runs_low,
      p_expiry_days > 0 and a.period_end > v_at and a.period_end <= v_at + p_expiry_days * interval '1 day'
        and a.subscription_available > 0 and a.subscription_available * 100 >= b.granted
        and n.expiry_told_for is distinct from a.period_end as expires
    from accounts a join organization o on o.id = a.org_id and o.active
    cross join lateral balance_standing(a, p_low_credits, p_low_percent) b
    left join balance_notices n on n.org_id = a.org_id
    where b.is_low or a.period_end > v_at
  loop
    if s.runs_low then
      insert into balance_notices as n (org_id, low_told_at) values (s.org_id, v_at)
        on conflict (org_id) do update set is_armed = false, low_told_at = v_at
        where n.is_armed or n.low_told_at is not distinct from s.low_told_at;
      if found then
        perform event_append(s.org_id, 'balance.low', jsonb_build_object('available_credits', s.available));
      end if;
    end if;
    if s.expires then
      insert into balance_notices as n (org_id, expiry_told_for) values (s.org_id, s.period_end)
        on conflict (org_id) do update set expiry_told_for = s.period_end
        where n.expiry_told_for is distinct from s.period_end;
      if found then
        perform event_append(s.org_id, 'credits.expiring',
          jsonb_build_object('expiring_credits', s.subscription_available, 'expires_at', s.period_end));
      end if;
    end if;
  end loop;
end $$;
