-- Closes a period that has ended: what is available expires, what is held stays with its holds. The plan's next period
-- opens in the same transaction. Never by a time that is doubted.
create or replace function expire_due(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
declare v_left bigint := a.subscription_available;
begin
  if a.period_end is null or a.period_end > p_now or not time_is_believed() then return a; end if;
  a.subscription_available := 0;
  a.period_start := null;
  a.period_end := null;
  if v_left > 0 then
    a := append_entry(a, p_now, 'expire', 'subscription', -v_left, null, null, 'subscription credits expired');
  end if;
  return open_next_period(a, p_now);
end $$;
