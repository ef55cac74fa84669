-- The rules about an account: nothing is negative, MAX_CREDITS of the gateway (an account beyond it could be granted but
-- never read, charged or audited again), and without an open period there is nothing to spend from one. Written as check
-- constraints the server read them anew at every statement; a function in plpgsql is read once.
create or replace function account_is_sound(a accounts) returns boolean language plpgsql immutable as $$
begin
  return least(a.subscription_available, a.subscription_held, a.anytime_available, a.anytime_held, a.debt,
      a.calls_in_flight, a.jobs_in_flight) >= 0
    and a.subscription_available + a.subscription_held + a.anytime_available + a.anytime_held <= 1000000000000000
    and (a.period_start is null) = (a.period_end is null)
    and (a.period_end is not null or a.subscription_available = 0);
end $$;
