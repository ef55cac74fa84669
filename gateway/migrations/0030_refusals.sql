-- Calls that were refused before they held anything: they have no row in requests, and no sum in rollups. Counted only,
-- so that a flood of them costs a few rows an hour. `model` is an id of the catalog or `other`, since a caller's text may
-- be a prompt or a key.
create table refusals (
  org_id uuid not null,
  hour timestamptz not null,
  key_id uuid not null,
  model text not null,
  code text not null,
  requests bigint not null check (requests > 0),
  primary key (org_id, hour, key_id, model, code)
) with (fillfactor = 50);
-- For forgetting alone: rows come in the order of their hours.
create index refusals_by_hour on refusals using brin (hour);
