-- In plpgsql, whose plan is kept: as an SQL function it would be planned at each call.
create or replace function save_account(a accounts) returns void language plpgsql as $$
begin
  update accounts set
    subscription_available = a.subscription_available, subscription_held = a.subscription_held,
    anytime_available = a.anytime_available, anytime_held = a.anytime_held, debt = a.debt,
    period_no = a.period_no, period_start = a.period_start, period_end = a.period_end,
    entry_seq = a.entry_seq, entry_hash = a.entry_hash,
    window_start = a.window_start, window_count = a.window_count,
    calls_in_flight = a.calls_in_flight, jobs_in_flight = a.jobs_in_flight
  where org_id = a.org_id;
end $$;
