-- A correction by hand, once per id: repeat where it was made before. Never below zero: insufficient says so;
-- no_open_period where subscription credits have nowhere to go. What is added pays the debt.
create or replace function ledger_adjust(
  p_org uuid, p_id uuid, p_pool text, p_amount bigint, p_description text,
  out outcome text, out debt_paid bigint, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_seq bigint; v_debt bigint;
begin
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  select c.debt_paid into debt_paid from corrections c where c.org_id = p_org and c.id = p_id;
  outcome := case
    when found then 'repeat'
    when p_pool = 'subscription' and account.subscription_available + p_amount < 0 then 'insufficient'
    when p_pool = 'anytime' and account.anytime_available + p_amount < 0 then 'insufficient'
    when p_pool = 'subscription' and account.period_end is null then 'no_open_period'
    else 'adjusted' end;
  if outcome = 'adjusted' then
    if p_pool = 'subscription' then account.subscription_available := account.subscription_available + p_amount;
    else account.anytime_available := account.anytime_available + p_amount; end if;
    account := append_entry(account, v_at, 'adjust', p_pool, p_amount, null, null, p_description);
    v_seq := account.entry_seq;
    v_debt := account.debt;
    account := pay_debt(account, v_at, 'correction ' || v_seq);
    debt_paid := v_debt - account.debt;
    insert into corrections values (p_org, p_id, v_at, p_pool, p_amount, v_seq, debt_paid);
  end if;
  debt_paid := coalesce(debt_paid, 0);
  perform save_account(account);
end $$;
