-- Deferred to the commit, so that the version's row lock is always the last one taken (no deadlocks)
-- and is held for an instant. One step per transaction, one message per organization: versions are
-- given out under the lock, so messages arrive in their order and a missing one leaves a gap.
create or replace function identity_changed() returns trigger language plpgsql as $$
declare
  v_version text := current_setting('bursar.identity_version', true);
  v_org uuid;
begin
  if coalesce(v_version, '') = '' then
    update identity_version set version = version + 1 returning version::text into strict v_version;
    perform set_config('bursar.identity_version', v_version, true);
  end if;
  if tg_op = 'TRUNCATE' then
    return null;
  end if;
  case tg_table_name
    when 'organization' then v_org := old.id;
    when 'member' then v_org := old."organizationId";
    when 'api_keys' then v_org := old.org_id;
    when 'api_key_retired_secrets' then select k.org_id into v_org from api_keys k where k.id = old.key_id;
  end case;
  -- A retired secret deleted with its key: the key's own message names the organization.
  if v_org is not null then
    perform pg_notify('bursar_identity', v_version || ' ' || v_org);
  end if;
  return null;
end $$;
