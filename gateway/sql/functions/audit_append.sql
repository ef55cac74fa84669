-- Appends one act to each of these chains, which it locks in order.
create or replace function audit_append(
  p_chains uuid[], p_actor_kind text, p_actor_id text, p_actor_name text, p_face text, p_operation text,
  p_object_kind text, p_object_id text, p_object_name text, p_before jsonb, p_after jsonb
) returns void language plpgsql as $$
declare
  h audit_heads;
  a audit;
begin
  for a.chain in select distinct c from unnest(p_chains) c order by c loop
    insert into audit_heads values (a.chain, 0, sha256('')) on conflict do nothing;
    select * into h from audit_heads where chain = a.chain for update;
    a := (a.chain, h.seq + 1, bursar_now(), p_actor_kind, p_actor_id, p_actor_name, p_face, p_operation,
      p_object_kind, p_object_id, p_object_name, p_before, p_after, null);
    a.hash := audit_hash(h.hash, a);
    insert into audit select a.*;
    update audit_heads set seq = a.seq, hash = a.hash where chain = a.chain;
  end loop;
end $$;
