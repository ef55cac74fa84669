-- The account as it stands now. Writes only when something is due to expire.
create or replace function ledger_account(p_org uuid) returns accounts language plpgsql as $$
declare a accounts;
begin
  select * into a from accounts x where x.org_id = p_org;
  if a.period_end <= bursar_now() then
    a := lock_account(p_org);
    a := expire_due(a, bursar_now());
    perform save_account(a);
  end if;
  return a;
end $$;
