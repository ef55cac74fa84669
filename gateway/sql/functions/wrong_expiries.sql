-- Credits that expired though their period had not ended, and were not put back yet. When an entry was really written is
-- shown by those after it, and by now: none is older than the one before it, unless the clock went back. By its own time the
-- period was over: what another plan replaced was not, and was right to expire. What a call gave back to a period that had
-- been ended that way expired too, at a time that is right.
create or replace function wrong_expiries(p_org uuid)
returns table (seq bigint, amount bigint, period_start timestamptz, ends_at timestamptz) language sql stable as $$
  select e.seq, -e.amount, g.period_start, g.expires_at
  from entries e
    cross join lateral (select least(e.created_at, bursar_now(), min(y.created_at)) as at
      from entries y where y.org_id = e.org_id and y.seq > e.seq) written
    cross join lateral (select y.seq, r.period_start, r.expires_at
      from entries y join grants r on r.org_id = y.org_id and coalesce(r.reference, r.id::text) = y.reference
      where y.org_id = e.org_id and y.seq < e.seq and y.type = 'grant' and y.pool = 'subscription'
      order by y.seq desc limit 1) g
  where e.org_id = p_org and e.type = 'expire' and written.at < g.expires_at
    and (e.created_at > written.at + interval '60 s' and e.created_at >= g.expires_at
      or e.request_id is not null and exists (select from entries y where y.org_id = e.org_id and y.type = 'expire'
        and y.request_id is null and y.seq > g.seq and y.seq < e.seq))
    and not exists (select from entries y where y.org_id = e.org_id and y.reference = 'undo:' || e.seq and y.type = 'adjust'
      and y.pool = 'subscription')
  order by e.seq
$$;
