-- Writes down what became of the deliveries that somebody took of an endpoint, and lets go of it. Nothing happens where
-- the lease ended and somebody else has it. `p_pace`: as in `endpoints`; null where nothing was tried. Who gave up an
-- event, and had nothing accepted in sixty hours, is paused.
create or replace function deliveries_finish(p_endpoint uuid, p_busy_until timestamptz, p_pace smallint, p_results jsonb)
returns void language plpgsql as $$
declare
  v_at timestamptz := bursar_now();
  p endpoints%rowtype;
begin
  -- Lost with the server, it is delivered again: no paid call waits for this flush.
  perform set_config('synchronous_commit', 'off', true);
  select * into p from endpoints x where x.id = p_endpoint and x.busy_until = p_busy_until for update;
  if not found then return; end if;
  update deliveries d set status = r.status, attempts = d.attempts + 1, tried_at = v_at, http_status = r.http_status,
      ms = r.ms, problem = r.problem, next_at = v_at + r.again_ms * interval '1 ms'
    from jsonb_to_recordset(p_results)
      as r (event_id uuid, status text, http_status integer, ms integer, problem text, again_ms bigint)
    where d.endpoint_id = p.id and d.event_id = r.event_id;
  if p_pace = 0 and p.failing_since <= v_at - interval '60 hours' and p_results @> '[{"status": "failed"}]'
    and p.kind in ('webhook', 'slack') and p.paused_at is null
  then
    p.paused_at := v_at;
    perform event_append(p.org_id, 'webhook.paused', jsonb_build_object('endpoint_id', p.id, 'host', p.host));
  end if;
  update endpoints set paused_at = p.paused_at, busy_until = null, pace = coalesce(p_pace, p.pace),
      failing_since = case coalesce(p_pace, p.pace) when 0 then coalesce(p.failing_since, v_at) end,
      -- Not before others that are due now: one with many waiting would always be first.
      due_at = (select greatest(d.next_at, v_at) from deliveries d where d.endpoint_id = p.id and d.status = 'waiting'
        order by d.next_at limit 1)
    where id = p.id;
end $$;
