-- What the accounts library does to a person's sessions and password, in the chains of at most fifty of their organizations
-- and, of an operator, in the operator's. Silent in a transaction whose act is written by itself.
create or replace function audit_account_change() returns trigger language plpgsql as $$
declare
  v_user "user";
  v_chains uuid[];
begin
  if current_setting('bursar.audited', true) = 'on' then return null; end if;
  if tg_op = 'DELETE' then
    if old."expiresAt" <= bursar_now() then return null; end if;
    select * into v_user from "user" where id = old."userId";
  else
    select * into v_user from "user" where id = new."userId";
  end if;
  if v_user.id is null then return null; end if;
  v_chains := array(select "organizationId" from member where "userId" = v_user.id order by "createdAt", id limit 50)
    || array(select uuid '00000000-0000-0000-0000-000000000000' from operators where user_id = v_user.id);
  perform audit_append(v_chains, 'person', v_user.id::text, v_user.name, 'console',
    case tg_name when 'session_opened' then 'session.open' when 'session_ended' then 'session.end' else 'password.set' end,
    'person', v_user.id::text, v_user.email, null, null);
  return null;
end $$;
