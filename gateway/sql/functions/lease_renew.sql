-- True while the epoch is still ours. An expired lease that nobody has ended yet may be renewed:
-- its holds are all still there.
create or replace function lease_renew(p_process uuid, p_epoch integer) returns boolean language plpgsql as $$
begin
  update processes set expires_at = bursar_now() + interval '15 s',
      believed_at = case when time_is_believed() then bursar_now() - clock_offset() else believed_at end
    where process_id = p_process and epoch = p_epoch and ended_at is null;
  return found;
end $$;
