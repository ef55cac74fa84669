-- An organization is deactivated, never deleted: its ledger stays.
create or replace function refuse_organization_removal() returns trigger language plpgsql as $$
begin
  raise exception 'an organization is deactivated, never deleted' using errcode = 'restrict_violation';
end $$;
