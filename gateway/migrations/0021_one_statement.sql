-- What was a transaction of several statements is one here: a link that stalls between two of them kept the account locked,
-- for all nodes, until the server lost its patience.

-- A correction by hand has an id that its caller made, so that whoever lost the answer can ask again and finds it.
create table corrections (
  org_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  pool text not null,
  amount bigint not null,
  -- Of its entry.
  seq bigint not null,
  -- Of what it added, by the entry after its own.
  debt_paid bigint not null,
  primary key (org_id, id)
);

-- All entries by hand name nothing; what pays a debt names what it was paid from.
insert into corrections
  select e.org_id, gen_random_uuid(), e.created_at, e.pool, e.amount, e.seq, coalesce(-d.amount, 0)
  from entries e left join entries d on d.org_id = e.org_id and d.seq = e.seq + 1 and d.type = 'adjust'
    and d.reference = 'correction ' || e.seq
  where e.type = 'adjust' and e.reference is null;

drop function ledger_adjust(uuid, text, bigint, text);

-- As in 0017, once per id: repeat where it was made before.
create function ledger_adjust(
  p_org uuid, p_id uuid, p_pool text, p_amount bigint, p_description text,
  out outcome text, out debt_paid bigint, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_seq bigint; v_debt bigint;
begin
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  select c.debt_paid into debt_paid from corrections c where c.org_id = p_org and c.id = p_id;
  outcome := case
    when found then 'repeat'
    when p_pool = 'subscription' and account.subscription_available + p_amount < 0 then 'insufficient'
    when p_pool = 'anytime' and account.anytime_available + p_amount < 0 then 'insufficient'
    when p_pool = 'subscription' and account.period_end is null then 'no_open_period'
    else 'adjusted' end;
  if outcome = 'adjusted' then
    if p_pool = 'subscription' then account.subscription_available := account.subscription_available + p_amount;
    else account.anytime_available := account.anytime_available + p_amount; end if;
    account := append_entry(account, v_at, 'adjust', p_pool, p_amount, null, null, p_description);
    v_seq := account.entry_seq;
    v_debt := account.debt;
    account := pay_debt(account, v_at, 'correction ' || v_seq);
    debt_paid := v_debt - account.debt;
    insert into corrections values (p_org, p_id, v_at, p_pool, p_amount, v_seq, debt_paid);
  end if;
  debt_paid := coalesce(debt_paid, 0);
  perform save_account(account);
end $$;

-- Whether ledger_admit_job would refuse the job: its answer where it would, and nothing, also in the tables, where it would
-- admit it.
create function ledger_refuse_job(
  p_process uuid, p_epoch integer, p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_estimate bigint, p_rate integer, p_in_flight integer, p_key_rate integer, p_ttl_ms bigint,
  p_idempotency text, p_fingerprint bytea, p_deadline_ms bigint, p_price text, p_order text, p_reply text
) returns table (
  outcome text, granted bigint, available bigint, held bigint,
  rate_limit integer, rate_left integer, reset_ms integer,
  first_request uuid, reply text, charged bigint, subscription_after bigint, anytime_after bigint
) language plpgsql set lock_timeout = '1s' as $$
begin
  select x.* into outcome, granted, available, held, rate_limit, rate_left, reset_ms, first_request, reply, charged,
      subscription_after, anytime_after
    from ledger_admit_job(p_process, p_epoch, p_org, p_request, p_key, p_member, p_endpoint, p_model, p_estimate, p_rate,
      p_in_flight, p_key_rate, p_ttl_ms, p_idempotency, p_fingerprint, p_deadline_ms, p_price, p_order, p_reply) x;
  -- Raised to undo what was only tried, and caught below.
  if outcome = 'admitted' then raise exception using errcode = 'BU001'; end if;
  return next;
exception when sqlstate 'BU001' then null;
end $$;
