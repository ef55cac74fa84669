-- Appends one entry outside the hot path and returns the account with its new head.
create or replace function append_entry(
  a accounts, p_now timestamptz, p_type text, p_pool text, p_amount bigint,
  p_request uuid, p_reference text, p_description text
) returns accounts language plpgsql as $$
declare
  v_balance bigint := case p_pool
    when 'subscription' then a.subscription_available + a.subscription_held
    else a.anytime_available + a.anytime_held end;
begin
  a.entry_seq := a.entry_seq + 1;
  a.entry_hash := entry_hash(a.entry_hash, a.org_id, a.entry_seq, p_now, p_type, p_pool, p_amount,
    v_balance, p_request, p_reference, p_description);
  insert into entries values (a.org_id, a.entry_seq, p_now, p_type, p_pool, p_amount, v_balance,
    p_request, p_reference, p_description, a.entry_hash);
  return a;
end $$;
