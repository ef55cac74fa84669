-- The event of a row that changed, by a trigger's arguments: its type, the column of its organization, and the columns
-- that are told, each with a name of its own behind a colon where it has another one there.
create or replace function event_of_change() returns trigger language plpgsql as $$
declare
  v_row jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  v_data jsonb := '{}';
  v_column text;
begin
  foreach v_column in array tg_argv[2:] loop
    v_data := v_data || jsonb_build_object(
      coalesce(nullif(split_part(v_column, ':', 2), ''), v_column), v_row -> split_part(v_column, ':', 1));
  end loop;
  perform event_append((v_row ->> tg_argv[1])::uuid, tg_argv[0], v_data);
  return null;
end $$;
