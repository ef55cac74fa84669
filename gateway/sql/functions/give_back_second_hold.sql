-- A hold that was made after its call had ended.
-- Under the account's lock, the hold's row already deleted: all that it took is as before. What it held of a period
-- that has ended since expires, in an entry that names no request: the settlement may have written the one there can be.
create or replace function give_back_second_hold(a accounts, h holds, p_now timestamptz) returns accounts language plpgsql as $$
begin
  a.subscription_held := a.subscription_held - h.subscription;
  a.anytime_held := a.anytime_held - h.anytime;
  a.anytime_available := a.anytime_available + h.anytime;
  if a.period_end is not null and h.period_no = a.period_no then
    a.subscription_available := a.subscription_available + h.subscription;
  elsif h.subscription > 0 then
    a := append_entry(a, p_now, 'expire', 'subscription', -h.subscription, null, null, 'subscription credits expired');
  end if;
  if h.kind = 'call' then a.calls_in_flight := a.calls_in_flight - 1;
  else a.jobs_in_flight := a.jobs_in_flight - 1; end if;
  if h.key_counted then
    update key_windows w set calls_in_flight = w.calls_in_flight - 1
      where w.org_id = a.org_id and w.key_id = h.key_id;
  end if;
  -- A call that had ended for nothing had freed its key, and the late admission took it once more.
  delete from idempotency d where d.org_id = a.org_id and d.endpoint = h.endpoint and d.key = h.idempotency_key
    and d.request_id = h.request_id and d.state = 'running';
  return a;
end $$;
