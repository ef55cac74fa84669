-- Numbers committed events and says to whom each is to be delivered; one node at a time. Numbers are given here and not
-- where events are written: a row that all of them raised would make unrelated transactions wait for each other, and a
-- reader that goes on behind the highest number would miss the ones that commit late. Answers how many there were.
create or replace function events_fan_out(p_has_mail boolean) returns integer language plpgsql as $$
declare
  v_at timestamptz := bursar_now();
  v_ids uuid[];
begin
  if not pg_try_advisory_xact_lock(7203, 1) then return 0; end if;
  select array_agg(e.id) into v_ids from (select x.id from events x where x.seq is null order by x.id limit 500) e;
  if v_ids is null then return 0; end if;
  with fresh as (
    select e.id, e.org_id, row_number() over (partition by e.org_id order by e.created_at, e.id) as place,
      count(*) over (partition by e.org_id) as places from events e where e.id = any(v_ids)),
  heads as (
    insert into event_heads as h select distinct f.org_id, f.places from fresh f
    on conflict (org_id) do update set seq = h.seq + excluded.seq returning h.org_id, h.seq)
  update events e set seq = h.seq - f.places + f.place from fresh f join heads h on h.org_id = f.org_id where e.id = f.id;
  if p_has_mail then
    insert into endpoints (id, org_id, kind, host, types, created_at)
      select e.org_id, e.org_id, 'owners', 'owners and admins', t.types, v_at
      from (values (array['balance.low', 'credits.expiring', 'payment.failed', 'webhook.paused'])) as t (types)
      join events e on e.id = any(v_ids) and e.type = any(t.types) and e.org_id in (select o.id from organization o)
      on conflict do nothing;
  end if;
  with told as (
    insert into deliveries (endpoint_id, event_id, next_at)
      select p.id, e.id, v_at from events e join endpoints p on p.org_id = e.org_id and p.paused_at is null
      where e.id = any(v_ids) and (p.kind = 'owners' or e.created_at >= p.created_at)
        and (p_has_mail or p.kind in ('webhook', 'slack'))
        and case e.type when 'webhook.test' then e.data ->> 'endpoint_id' = p.id::text
          else cardinality(p.types) = 0 or e.type = any(p.types) end
        and not exists (select from organization o where o.id = e.org_id and not o.active)
      returning endpoint_id)
  update endpoints p set due_at = least(p.due_at, v_at) where p.id in (select t.endpoint_id from told t);
  return cardinality(v_ids);
end $$;
