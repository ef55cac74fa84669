-- sha256 over the previous hash and the row in a fixed binary form. Text cannot contain a zero byte,
-- so zero bytes end the fields of varying length and no two rows share a form.
create or replace function entry_hash(
  previous bytea, org_id uuid, seq bigint, created_at timestamptz, type text, pool text,
  amount bigint, balance_after bigint, request_id uuid, reference text, description text
) returns bytea language sql stable as $$
  select sha256(
    previous || uuid_send(org_id) || int8send(seq) || timestamptz_send(created_at)
    || int8send(amount) || int8send(balance_after)
    || textsend(type) || '\x00'::bytea || textsend(pool) || '\x00'::bytea
    || coalesce('\x01'::bytea || uuid_send(request_id), '\x00'::bytea)
    || coalesce('\x01'::bytea || textsend(reference), '\x'::bytea) || '\x00'::bytea
    || textsend(description)
  )
$$;
