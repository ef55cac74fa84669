-- Read without locks; release checks again under the account's lock. Holds of calls whose process has ended or whose time
-- is over, and of jobs that have ended or are gone: hold and row of a job begin and end in one transaction each, so in one
-- snapshot a hold whose job does not run has lost it, and nothing else would ever end that hold.
create or replace function orphaned_holds(p_limit integer) returns setof holds language sql stable as $$
  select h.* from holds h
    left join processes p on p.process_id = h.process_id and p.epoch = h.epoch and p.ended_at is null
    where (h.kind = 'call' and (p.process_id is null or h.ends_at < bursar_now()))
      or (h.kind = 'job' and not exists (select 1 from video_jobs j
        where j.org_id = h.org_id and j.request_id = h.request_id and j.status = 'processing'))
    order by h.org_id limit p_limit
$$;
