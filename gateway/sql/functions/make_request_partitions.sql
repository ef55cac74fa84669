-- Makes the monthly partitions from this month to two months ahead. Safe to repeat and to run twice at once.
-- Months are those of UTC. Earlier versions added a month in the session's zone, so that where it was another one
-- partitions began and ended hours or days beside their months, and at last lay over each other. Such ones stay. A new
-- one takes what they left free of its month, or is not made where nothing is left or its name is taken: calls of that
-- time are in the default partition.
create or replace function make_request_partitions() returns integer language plpgsql as $$
declare
  v_month timestamp := date_trunc('month', bursar_now() at time zone 'UTC');
  v_from uuid;
  v_to uuid;
  v_name text;
  v_made integer := 0;
  p record;
begin
  perform pg_advisory_xact_lock(7201, 3);
  for i in 0 .. 2 loop
    v_name := 'requests_' || to_char(v_month, 'YYYY_MM');
    v_from := id_at(v_month at time zone 'UTC');
    v_month := v_month + interval '1 month';
    v_to := id_at(v_month at time zone 'UTC');
    for p in
      select coalesce(substring(b.bounds from 'FROM \(''([0-9a-f-]+)''\)'), '00000000-0000-0000-0000-000000000000')::uuid as lower,
        coalesce(substring(b.bounds from 'TO \(''([0-9a-f-]+)''\)'), 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid as upper
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral pg_get_expr(c.relpartbound, c.oid) as b (bounds)
      where i.inhparent = 'requests'::regclass and b.bounds <> 'DEFAULT'
      order by 1
    loop
      if p.lower <= v_from then v_from := greatest(v_from, p.upper);
      else v_to := least(v_to, p.lower); end if;
    end loop;
    if v_from < v_to and to_regclass(v_name) is null
      -- Rows that strayed into the default partition stay there: their month is served from it.
      and not exists (select 1 from requests_default where request_id >= v_from and request_id < v_to)
    then
      execute format('create table %I partition of requests for values from (%L) to (%L)', v_name, v_from, v_to);
      v_made := v_made + 1;
    end if;
  end loop;
  return v_made;
end $$;
