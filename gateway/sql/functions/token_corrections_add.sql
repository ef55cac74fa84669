-- Adds one node's sums and answers everybody's. What was there fades as new comes in: about a million tokens of long
-- prompts and two hundred short ones are remembered, so that a model that changes is followed.
create or replace function token_corrections_add(
  p_models text[], p_kinds text[], p_estimated float8[], p_reported float8[], p_calls float8[], p_beyond float8[]
) returns setof token_corrections language plpgsql as $$
begin
  -- In one order, so that two nodes never wait for each other.
  insert into token_corrections as c
    select model, kind, estimated, reported, calls, beyond, bursar_now()
    from unnest(p_models, p_kinds, p_estimated, p_reported, p_calls, p_beyond)
      as seen(model, kind, estimated, reported, calls, beyond)
    order by model, kind
    on conflict (model, kind) do update set
      estimated = c.estimated * 1e6 / (1e6 + excluded.estimated) + excluded.estimated,
      reported = c.reported * 1e6 / (1e6 + excluded.estimated) + excluded.reported,
      calls = c.calls * 200 / (200 + excluded.calls) + excluded.calls,
      beyond = c.beyond * 200 / (200 + excluded.calls) + excluded.beyond,
      updated_at = excluded.updated_at;
  return query select * from token_corrections;
end $$;
