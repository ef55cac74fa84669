-- What a call holds of what is available. One whose caller set no limit leaves something to the next, unless there is plenty:
-- a quarter at most, and never less than it needs.
create or replace function hold_amount(p_minimum bigint, p_full bigint, p_available bigint, p_shares boolean) returns bigint
  language sql immutable as $$
    select case when p_shares and p_available < 8 * p_full then greatest(p_minimum, least(p_full, p_available / 4))
      else least(p_full, p_available) end
  $$;
