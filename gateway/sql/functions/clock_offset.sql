-- How far bursar_now() is from the clock of the database's host on purpose: only a test database moves it.
create or replace function clock_offset() returns interval language sql immutable as $$ select interval '0' $$;
