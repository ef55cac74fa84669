-- Opens a period on an account that has none, or whose last one was emptied.
create or replace function open_period(
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
