-- The last owner stays, whichever code asks and however many ask at once: the organization's row lock
-- makes two owners who leave at the same moment leave one after the other.
create or replace function keep_last_owner() returns trigger language plpgsql as $$
begin
  if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner'
      or new."organizationId" <> old."organizationId" or new."userId" <> old."userId") then
    perform 1 from organization where id = old."organizationId" for no key update;
    perform 1 from member
      where "organizationId" = old."organizationId" and role = 'owner' and id <> old.id limit 1;
    if not found then
      raise exception 'the last owner stays' using errcode = 'restrict_violation';
    end if;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
