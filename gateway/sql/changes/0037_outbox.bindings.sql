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
