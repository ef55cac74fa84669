-- Adds credits once per reference. A subscription grant joins the open period, or opens one that ends
-- at p_expires_at. Answers granted, repeat, conflict (the reference stands for something else) or
-- period_differs (an open period ends at another time).
create or replace function ledger_grant(
  p_org uuid, p_id uuid, p_pool text, p_kind text, p_amount bigint, p_reference text,
  p_expires_at timestamptz, p_description text, out outcome text, out grant_id uuid, out account accounts
) language plpgsql as $$
declare g grants%rowtype; v_at timestamptz; v_debt bigint;
begin
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  select * into g from grants x where x.org_id = p_org and (x.id = p_id or x.reference = p_reference);
  if found then
    grant_id := g.id;
    outcome := case when g.pool = p_pool and g.amount = p_amount then 'repeat' else 'conflict' end;
    perform save_account(account);
    return;
  end if;
  grant_id := p_id;
  if p_pool = 'subscription' then
    if account.period_end is null then
      if p_expires_at is null or p_expires_at <= v_at then
        outcome := 'already_expired'; perform save_account(account); return;
      end if;
      account.period_no := account.period_no + 1;
      account.period_start := v_at;
      account.period_end := p_expires_at;
    elsif p_expires_at is not null and p_expires_at <> account.period_end then
      outcome := 'period_differs'; perform save_account(account); return;
    end if;
    account.subscription_available := account.subscription_available + p_amount;
  else
    account.anytime_available := account.anytime_available + p_amount;
  end if;
  insert into grants values (p_org, p_id, v_at, p_pool, p_kind, p_amount, p_reference,
    case when p_pool = 'subscription' then account.period_start end,
    case when p_pool = 'subscription' then account.period_end end);
  account := append_entry(account, v_at, 'grant', p_pool, p_amount, null, coalesce(p_reference, p_id::text), p_description);
  v_debt := least(account.debt, account.anytime_available);
  if p_pool = 'anytime' and v_debt > 0 then
    account.debt := account.debt - v_debt;
    account.anytime_available := account.anytime_available - v_debt;
    account := append_entry(account, v_at, 'adjust', 'anytime', -v_debt, null, coalesce(p_reference, p_id::text),
      'refunded credits that were already spent');
  end if;
  perform save_account(account);
  outcome := 'granted';
end $$;
