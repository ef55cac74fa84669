-- The time that the caller expects; null of nodes of before, and of a session in psql.
create or replace function expected_at(p_expected text default current_setting('bursar.expected_at', true)) returns timestamptz
  language sql volatile as $$ select nullif(p_expected, '')::timestamptz + clock_offset() $$;
