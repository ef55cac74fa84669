-- A plan cannot change without becoming due, whoever changes it; the credits follow from renewals even
-- if the one who changed it dies before granting them. Whole milliseconds: the gateway's times have no more. What was
-- told of another plan's month is void.
-- After the open period in any case: a plan that began before it would wait for its end. Its start lies ahead where the
-- clock went back; and grants by hand begin at a finer moment than plans do.
create or replace function start_subscription() returns trigger language plpgsql as $$
declare v_at timestamptz;
begin
  select greatest(date_trunc('milliseconds', bursar_now()),
      max(date_trunc('milliseconds', a.period_start) + interval '1 ms'))
    into v_at from accounts a where a.org_id = new.id;
  insert into subscriptions (org_id, plan, started_at, anchor, renews_at) values (new.id, new.plan, v_at, v_at, v_at)
    on conflict (org_id) do update set plan = excluded.plan, started_at = excluded.started_at,
      anchor = excluded.anchor, renews_at = excluded.renews_at, source = excluded.source,
      next_start = null, next_end = null, next_credits = null;
  return null;
end $$;
