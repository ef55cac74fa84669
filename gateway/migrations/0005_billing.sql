-- Since when an organization has its plan, and when the plan's next period is due. Kept here because
-- nothing else knows it: the organization's row has no history, and one whose first grant never
-- happened (killed in between) has no grant to count from.

create table subscriptions (
  org_id uuid primary key,
  plan text not null,
  -- The first period begins here.
  started_at timestamptz not null,
  -- Periods begin here and every month after, counted from here each time, so that they never drift:
  -- 31 January, 28 February, 31 March. Later than started_at only where the first period is not a month.
  anchor timestamptz not null,
  renews_at timestamptz not null,
  -- schedule: we open the periods. payment: whoever reports the payment does.
  source text not null default 'schedule' check (source in ('schedule', 'payment')),
  check (anchor >= started_at)
);
create index subscriptions_due on subscriptions (renews_at, org_id) where source = 'schedule';

-- A plan cannot change without becoming due, whoever changes it; the credits follow from renewals even
-- if the one who changed it dies before granting them. Whole milliseconds: the gateway's times have no more.
create function start_subscription() returns trigger language plpgsql as $$
declare v_at timestamptz := date_trunc('milliseconds', bursar_now());
begin
  insert into subscriptions (org_id, plan, started_at, anchor, renews_at) values (new.id, new.plan, v_at, v_at, v_at)
    on conflict (org_id) do update set plan = excluded.plan, started_at = excluded.started_at,
      anchor = excluded.anchor, renews_at = excluded.renews_at, source = excluded.source;
  return null;
end $$;

create trigger organization_starts_plan after insert on organization
  for each row execute function start_subscription();
create trigger organization_changes_plan after update of plan on organization
  for each row when (old.plan is distinct from new.plan) execute function start_subscription();
