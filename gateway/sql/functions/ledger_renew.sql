-- Opens the period that starts at p_start and grants its credits; what is left of the period before
-- expires in the same transaction. Unique by (organization, start). Only while the organization has the plan that it has
-- had since p_plan_since, where that is given: whoever read the plan read it before the lock. By a time that is doubted
-- every month is early but an organization's first: nothing ends by it.
-- Answers renewed, repeat, changed (it has another plan), early, over or stale.
create or replace function ledger_renew(
  p_org uuid, p_id uuid, p_amount bigint, p_start timestamptz, p_end timestamptz, p_reference text,
  p_description text, p_plan_since timestamptz default null, out outcome text, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_left bigint; v_has_plan boolean := true;
begin
  if p_end <= p_start then raise exception 'a period must end after it starts'; end if;
  account := lock_account(p_org);
  if p_plan_since is not null then
    -- Locked too: who changes the plan at this moment comes before this, or after it.
    perform 1 from subscriptions s where s.org_id = p_org and s.started_at = p_plan_since and s.source = 'schedule' for update;
    v_has_plan := found;
  end if;
  v_at := bursar_now();
  account := expire_due(account, v_at);
  outcome := case
    when exists (select 1 from grants g where g.org_id = p_org
      and ((g.kind = 'plan' and g.period_start = p_start) or g.reference = p_reference)) then 'repeat'
    when not v_has_plan then 'changed'
    when p_start > v_at or account.period_no > 0 and not time_is_believed() then 'early'
    when p_end <= v_at then 'over'
    when account.period_start > p_start then 'stale'
    else 'renewed' end;
  if outcome = 'renewed' then
    v_left := account.subscription_available;
    if v_left > 0 then
      account.subscription_available := 0;
      account := append_entry(account, v_at, 'expire', 'subscription', -v_left, null, null,
        'subscription credits of the period before expired');
    end if;
    account := open_period(account, v_at, p_id, p_amount, p_start, p_end, p_reference, p_description);
  end if;
  perform save_account(account);
end $$;
