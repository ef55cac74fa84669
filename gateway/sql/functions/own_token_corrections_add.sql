-- Adds one node's sums and answers what nodes have seen of late, or as much as they remember, the oldest first. It fades
-- as the sums of all do, and what nobody has added to for a quarter is forgotten.
create or replace function own_token_corrections_add(
  p_orgs uuid[], p_models text[], p_kinds text[], p_estimated float8[], p_reported float8[], p_calls float8[],
  p_beyond float8[], p_ever boolean
) returns setof own_token_corrections language plpgsql as $$
declare v_now timestamptz := bursar_now();
begin
  -- In one order, so that two nodes never wait for each other.
  insert into own_token_corrections as c
    select org_id, model, kind, estimated, reported, calls, beyond, v_now
    from unnest(p_orgs, p_models, p_kinds, p_estimated, p_reported, p_calls, p_beyond)
      as seen(org_id, model, kind, estimated, reported, calls, beyond)
    order by org_id, model, kind
    on conflict (org_id, model, kind) do update set
      estimated = c.estimated * 1e6 / (1e6 + excluded.estimated) + excluded.estimated,
      reported = c.reported * 1e6 / (1e6 + excluded.estimated) + excluded.reported,
      calls = c.calls * 200 / (200 + excluded.calls) + excluded.calls,
      beyond = c.beyond * 200 / (200 + excluded.calls) + excluded.beyond,
      updated_at = excluded.updated_at;
  delete from own_token_corrections where updated_at < v_now - interval '90 days';
  return query
    select * from (
      select * from own_token_corrections o
      where p_ever or o.updated_at > v_now - interval '10 minutes'
      order by o.updated_at desc limit 10000
    ) newest order by updated_at;
end $$;
