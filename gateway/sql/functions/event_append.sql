-- Writes down that something happened, in the transaction that makes it happen; nil is the organization of operators. It
-- gets its number, and is told, once it is committed: see `events_fan_out`. Its id is a UUIDv7.
create or replace function event_append(p_org uuid, p_type text, p_data jsonb) returns void language sql as $$
  insert into events (id, org_id, type, created_at, data)
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid,
    p_org, p_type, at, p_data
  from (select bursar_now() as at) as t
$$;
