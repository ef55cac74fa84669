create or replace function lease_leave(p_process uuid, p_epoch integer) returns void language sql as $$
  update processes set ended_at = bursar_now() where process_id = p_process and epoch = p_epoch and ended_at is null
$$;
