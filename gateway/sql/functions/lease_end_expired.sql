-- Ends the leases that ran out; from then on their holds are orphans. But a clock that was set anew must end nobody who
-- lives. Who asks has renewed within its own lease, by a clock that nobody sets: where its lease is over all the same,
-- those of the others say nothing either, and the answer is null. And no lease is longer than one that is renewed now: one
-- of before the clock went back would outlast its process.
create or replace function lease_end_expired(p_judge uuid default null) returns integer language plpgsql as $$
declare v_now timestamptz := bursar_now(); v_ended integer;
begin
  if exists (select 1 from processes p where p.process_id = p_judge and p.ended_at is null and p.expires_at < v_now) then
    return null;
  end if;
  update processes set expires_at = v_now + interval '15 s' where ended_at is null and expires_at > v_now + interval '30 s';
  update processes set ended_at = v_now where ended_at is null and expires_at < v_now;
  get diagnostics v_ended = row_count;
  delete from processes p where p.ended_at < v_now - interval '1 day'
    and not exists (select 1 from holds h where h.process_id = p.process_id);
  return v_ended;
end $$;
