-- Takes a lease, or a new epoch where the old one was lost.
create or replace function lease_acquire(p_process uuid, p_host text, p_pid integer) returns integer language sql as $$
  insert into processes (process_id, epoch, host, pid, started_at, expires_at)
    values (p_process, 1, p_host, p_pid, bursar_now(), bursar_now() + interval '15 s')
    on conflict (process_id) do update set epoch = processes.epoch + 1, expires_at = bursar_now() + interval '15 s', ended_at = null
    returning epoch
$$;
