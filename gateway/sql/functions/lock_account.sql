create or replace function lock_account(p_org uuid) returns accounts language plpgsql set lock_timeout = '5s' as $$
declare a accounts;
begin
  select * into a from accounts x where x.org_id = p_org for update;
  if not found then raise exception 'no account for organization %', p_org; end if;
  return a;
end $$;
