-- The one clock of money. Everything that expires, renews or is ordered by time asks it, so that a
-- gateway with a wrong clock changes nothing, and a test can move time for everybody at once.
create or replace function bursar_now() returns timestamptz
  language sql volatile parallel safe
  as $$ select clock_timestamp() $$;
