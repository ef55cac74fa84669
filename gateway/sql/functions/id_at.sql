-- The lowest UUIDv7 of a moment: the bounds of the partitions of requests.
create or replace function id_at(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;
