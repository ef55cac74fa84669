-- How far our counts of prompts are off, model by model, as providers' reports show it: sums, so that nodes can add
-- what each has seen. For quotes and shown numbers only; nothing here decides what is sent.
create table token_corrections (
  model text not null,
  -- Providers add to a prompt by what is in it: nothing special, a schema for the answer, or tools.
  kind text not null check (kind in ('plain', 'schema', 'tools')),
  -- Of long prompts: tokens as we counted them, and as they were reported.
  estimated double precision not null check (estimated >= 0 and estimated < 'infinity'),
  reported double precision not null check (reported >= 0 and reported < 'infinity'),
  -- Of short ones: how many, and the tokens that were reported beyond our count.
  calls double precision not null check (calls >= 0 and calls < 'infinity'),
  beyond double precision not null check (beyond > '-infinity' and beyond < 'infinity'),
  updated_at timestamptz not null,
  primary key (model, kind)
);

-- Adds one node's sums and answers everybody's. What was there fades as new comes in: about a million tokens of long
-- prompts and two hundred short ones are remembered, so that a model that changes is followed.
create function token_corrections_add(
  p_models text[], p_kinds text[], p_estimated float8[], p_reported float8[], p_calls float8[], p_beyond float8[]
) returns setof token_corrections language plpgsql as $$
begin
  -- In one order, so that two nodes never wait for each other.
  insert into token_corrections as c
    select model, kind, estimated, reported, calls, beyond, bursar_now()
    from unnest(p_models, p_kinds, p_estimated, p_reported, p_calls, p_beyond)
      as seen(model, kind, estimated, reported, calls, beyond)
    order by model, kind
    on conflict (model, kind) do update set
      estimated = c.estimated * 1e6 / (1e6 + excluded.estimated) + excluded.estimated,
      reported = c.reported * 1e6 / (1e6 + excluded.estimated) + excluded.reported,
      calls = c.calls * 200 / (200 + excluded.calls) + excluded.calls,
      beyond = c.beyond * 200 / (200 + excluded.calls) + excluded.beyond,
      updated_at = excluded.updated_at;
  return query select * from token_corrections;
end $$;
