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

-- Events of rows, in the transaction that changes them, whoever does: type, column of the organization, columns told.
create trigger key_created_event after insert on api_keys for each row when (not new.internal)
  execute function event_of_change('key.created', 'org_id', 'id:key_id', 'name');
create trigger key_rotated_event after update of secret_hash on api_keys
  for each row when (old.secret_hash <> new.secret_hash)
  execute function event_of_change('key.rotated', 'org_id', 'id:key_id', 'name');
create trigger key_revoked_event after update of revoked_at on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function event_of_change('key.revoked', 'org_id', 'id:key_id', 'name');
create trigger member_added_event after insert on member for each row
  execute function event_of_change('member.added', 'organizationId', 'userId:user_id', 'role');
create trigger member_removed_event after delete on member for each row
  execute function event_of_change('member.removed', 'organizationId', 'userId:user_id', 'role');
create trigger member_role_changed_event after update of role on member for each row when (old.role <> new.role)
  execute function event_of_change('member.role_changed', 'organizationId', 'userId:user_id', 'role');
create trigger member_invited_event after insert on invitation for each row
  execute function event_of_change('member.invited', 'organizationId', 'id:invitation_id', 'role');
create trigger plan_changed_event after update of plan on organization for each row when (old.plan <> new.plan)
  execute function event_of_change('plan.changed', 'id', 'plan');
create trigger plan_started_event after insert on paid_subscriptions for each row
  execute function event_of_change('plan.started', 'org_id', 'order_id');
create trigger plan_ended_event after delete on paid_subscriptions for each row
  execute function event_of_change('plan.ended', 'org_id', 'order_id');
create trigger payment_failed_event after update of state on paid_subscriptions
  for each row when (old.state = 'active' and new.state = 'past_due')
  execute function event_of_change('payment.failed', 'org_id', 'order_id');
create trigger payment_succeeded_event after insert on payments for each row
  execute function event_of_change('payment.succeeded', 'org_id', 'id:payment_id', 'order_id', 'credits', 'amount_cents');
create trigger video_completed_event after update of status on video_jobs for each row when (new.status = 'complete')
  execute function event_of_change('video.completed', 'org_id', 'request_id', 'model', 'asset_id');
create trigger video_failed_event after update of status on video_jobs for each row when (new.status = 'failed')
  execute function event_of_change('video.failed', 'org_id', 'request_id', 'model');
