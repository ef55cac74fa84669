-- Time that jumps moves no money. Every statement that does tells the time that its node expects of this database: the
-- last one it saw and its own monotonic clock since. It is only compared.
create or replace function time_is_believed(p_expected text default current_setting('bursar.expected_at', true)) returns boolean
  language sql volatile as $$
    select coalesce(abs(extract(epoch from bursar_now() - expected_at(p_expected))) <= 60, true)
  $$;
