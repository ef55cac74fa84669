-- sha256 over the previous hash and the row; as a JSON array, no two rows share a form.
create or replace function audit_hash(previous bytea, a audit) returns bytea language sql stable as $$
  select sha256(previous || uuid_send(a.chain) || int8send(a.seq) || timestamptz_send(a.at) || textsend(jsonb_build_array(
    a.actor_kind, a.actor_id, a.actor_name, a.face, a.operation, a.object_kind, a.object_id, a.object_name, a.before,
    a.after)::text))
$$;
