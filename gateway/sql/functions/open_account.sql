-- An organization without an account cannot exist, whoever creates it.
create or replace function open_account() returns trigger language plpgsql as $$
begin
  insert into accounts (org_id) values (new.id) on conflict do nothing;
  return null;
end $$;
