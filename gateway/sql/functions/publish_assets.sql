-- Called under the account's lock, by what has just charged for these. The charge is split evenly, the first ones
-- taking the rest, so that the parts sum to the whole.
create or replace function publish_assets(
  p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_model text, p_charged bigint, p_assets jsonb
) returns void language plpgsql as $$
declare
  v_count integer := jsonb_array_length(p_assets);
  v_owned integer;
begin
  delete from stray_objects s
    where s.object_key in (select x->>'objectKey' from jsonb_array_elements(p_assets) x)
      and s.org_id = p_org and not s.is_sweeping;
  get diagnostics v_owned = row_count;
  -- Nobody may be charged for bytes that the sweep has taken.
  if v_owned <> v_count then raise exception 'objects of request % are not there to be published', p_request; end if;
  insert into assets
    select p_org, (x.asset->>'id')::uuid, bursar_now(), x.asset->>'type', x.asset->>'objectKey', x.asset->>'urlToken',
      x.asset->>'mediaType', (x.asset->>'sizeBytes')::bigint, decode(x.asset->>'sha256', 'hex'),
      (x.asset->>'width')::integer, (x.asset->>'height')::integer, (x.asset->>'durationMs')::integer,
      p_model, x.asset->>'prompt', p_request, p_key, p_member,
      p_charged / v_count + (x.place <= p_charged % v_count)::integer
    from jsonb_array_elements(p_assets) with ordinality as x (asset, place);
end $$;
