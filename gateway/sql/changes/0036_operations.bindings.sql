create trigger audit_is_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

create constraint trigger session_opened after insert on session
  deferrable initially deferred for each row execute function audit_account_change();
create constraint trigger session_ended after delete on session
  deferrable initially deferred for each row execute function audit_account_change();
create constraint trigger password_set after insert or update of password on account
  deferrable initially deferred for each row execute function audit_account_change();
