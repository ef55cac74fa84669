-- Tells the time that the caller expects for this transaction and answers its second argument, so that the first argument
-- of the function called can be wrapped in it: arguments come before the call.
create or replace function expecting(p_expected text, p_argument text) returns text language plpgsql as $$
begin
  perform set_config('bursar.expected_at', p_expected, true);
  return p_argument;
end $$;
