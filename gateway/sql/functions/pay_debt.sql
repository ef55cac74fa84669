-- Whatever becomes available pays the debt first, so that there are never anytime credits beside one.
-- Under the account's lock, after what came in or back was entered. From anytime credits alone, as a grant pays it; the
-- entry names no request, since it is no part of what the call cost.
create or replace function pay_debt(a accounts, p_now timestamptz, p_reference text) returns accounts language plpgsql as $$
declare v_part bigint := least(a.debt, a.anytime_available);
begin
  if v_part <= 0 then return a; end if;
  a.debt := a.debt - v_part;
  a.anytime_available := a.anytime_available - v_part;
  return append_entry(a, p_now, 'adjust', 'anytime', -v_part, null, p_reference,
    'refunded credits that were already spent');
end $$;
