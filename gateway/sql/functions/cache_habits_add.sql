-- Adds one node's sums and answers what nodes have seen of late, or within the last day, the oldest first. What was
-- there fades as new comes in, so that what calls do now counts most.
create or replace function cache_habits_add(
  p_orgs uuid[], p_models text[], p_shapes text[], p_again float8[], p_firsts float8[], p_firsts_read float8[],
  p_laters float8[], p_laters_read float8[], p_ever boolean
) returns setof cache_habits language plpgsql as $$
declare v_now timestamptz := bursar_now();
begin
  -- In one order, so that two nodes never wait for each other.
  insert into cache_habits as h
    select org_id, model, shape, again, firsts, firsts_read, laters, laters_read, v_now
    from unnest(p_orgs, p_models, p_shapes, p_again, p_firsts, p_firsts_read, p_laters, p_laters_read)
      as seen(org_id, model, shape, again, firsts, firsts_read, laters, laters_read)
    order by org_id, model, shape
    on conflict (org_id, model, shape) do update set
      again = h.again * 200 / (200 + excluded.firsts + excluded.laters) + excluded.again,
      firsts = h.firsts * 200 / (200 + excluded.firsts + excluded.laters) + excluded.firsts,
      firsts_read = h.firsts_read * 200 / (200 + excluded.firsts + excluded.laters) + excluded.firsts_read,
      laters = h.laters * 200 / (200 + excluded.firsts + excluded.laters) + excluded.laters,
      laters_read = h.laters_read * 200 / (200 + excluded.firsts + excluded.laters) + excluded.laters_read,
      updated_at = excluded.updated_at;
  delete from cache_habits where updated_at < v_now - interval '1 day';
  return query
    select * from (
      select * from cache_habits c
      where p_ever or c.updated_at > v_now - interval '10 minutes'
      order by c.updated_at desc limit 10000
    ) newest order by updated_at;
end $$;
