-- What binds functions to tables, in a new database. One that is there already gets what changes here from `changes/`.

-- Only what takes something away from a memory matters: nodes remember what exists, never what does not.
create constraint trigger organization_changed
  after update of name, slug, plan, active, efficiency, "disabledModels" on organization
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger member_left
  after delete or update of "organizationId", "userId" on member
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger api_key_changed
  after delete or update of id, org_id, name, secret_hash, scopes, expires_at, revoked_at,
    requests_per_minute, in_flight, internal on api_keys
  deferrable initially deferred for each row execute function identity_changed();
create constraint trigger api_key_retired_secret_changed
  after delete or update on api_key_retired_secrets
  deferrable initially deferred for each row execute function identity_changed();
create trigger member_truncated after truncate on member execute function identity_changed();
create trigger api_keys_truncated after truncate on api_keys execute function identity_changed();

create trigger organization_stays before delete on organization
  for each row execute function refuse_organization_removal();
create trigger organizations_stay before truncate on organization
  execute function refuse_organization_removal();

create trigger member_keeps_last_owner before update or delete on member
  for each row execute function keep_last_owner();

create trigger organization_opens_account after insert on organization
  for each row execute function open_account();
create trigger organization_starts_plan after insert on organization
  for each row execute function start_subscription();
create trigger organization_changes_plan after update of plan on organization
  for each row when (old.plan is distinct from new.plan) execute function start_subscription();

create trigger entries_are_append_only before update or delete or truncate on entries
  for each statement execute function refuse_change();

create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

-- What the accounts library changes in transactions of its own.
create constraint trigger session_opened after insert on session
  deferrable initially deferred for each row execute function audit_account_change();
create constraint trigger session_ended after delete on session
  deferrable initially deferred for each row execute function audit_account_change();
create constraint trigger password_set after insert or update of password on account
  deferrable initially deferred for each row execute function audit_account_change();

alter table accounts add constraint accounts_are_sound check (account_is_sound(accounts));
