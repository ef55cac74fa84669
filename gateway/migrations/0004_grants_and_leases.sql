-- Credits that come in, expire or are corrected, and the leases by which orphaned holds are recognised.
-- The rules of 0003 hold here too: the account's lock first, then the time.

create function lock_account(p_org uuid) returns accounts language plpgsql set lock_timeout = '5s' as $$
declare a accounts;
begin
  select * into a from accounts x where x.org_id = p_org for update;
  if not found then raise exception 'no account for organization %', p_org; end if;
  return a;
end $$;

-- The account as it stands now. Writes only when something is due to expire.
create function ledger_account(p_org uuid) returns accounts language plpgsql as $$
declare a accounts;
begin
  select * into a from accounts x where x.org_id = p_org;
  if a.period_end <= bursar_now() then
    a := lock_account(p_org);
    a := expire_due(a, bursar_now());
    perform save_account(a);
  end if;
  return a;
end $$;

-- Adds credits once per reference. A subscription grant joins the open period, or opens one that ends
-- at p_expires_at. Answers granted, repeat, conflict (the reference stands for something else) or
-- period_differs (an open period ends at another time).
create function ledger_grant(
  p_org uuid, p_id uuid, p_pool text, p_kind text, p_amount bigint, p_reference text,
  p_expires_at timestamptz, p_description text, out outcome text, out grant_id uuid, out account accounts
) language plpgsql as $$
declare g grants%rowtype; v_at timestamptz; v_debt bigint;
begin
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  select * into g from grants x where x.org_id = p_org and (x.id = p_id or x.reference = p_reference);
  if found then
    grant_id := g.id;
    outcome := case when g.pool = p_pool and g.amount = p_amount then 'repeat' else 'conflict' end;
    perform save_account(account);
    return;
  end if;
  grant_id := p_id;
  if p_pool = 'subscription' then
    if account.period_end is null then
      if p_expires_at is null or p_expires_at <= v_at then
        outcome := 'already_expired'; perform save_account(account); return;
      end if;
      account.period_no := account.period_no + 1;
      account.period_start := v_at;
      account.period_end := p_expires_at;
    elsif p_expires_at is not null and p_expires_at <> account.period_end then
      outcome := 'period_differs'; perform save_account(account); return;
    end if;
    account.subscription_available := account.subscription_available + p_amount;
  else
    account.anytime_available := account.anytime_available + p_amount;
  end if;
  insert into grants values (p_org, p_id, v_at, p_pool, p_kind, p_amount, p_reference,
    case when p_pool = 'subscription' then account.period_start end,
    case when p_pool = 'subscription' then account.period_end end);
  account := append_entry(account, v_at, 'grant', p_pool, p_amount, null, coalesce(p_reference, p_id::text), p_description);
  v_debt := least(account.debt, account.anytime_available);
  if p_pool = 'anytime' and v_debt > 0 then
    account.debt := account.debt - v_debt;
    account.anytime_available := account.anytime_available - v_debt;
    account := append_entry(account, v_at, 'adjust', 'anytime', -v_debt, null, coalesce(p_reference, p_id::text),
      'refunded credits that were already spent');
  end if;
  perform save_account(account);
  outcome := 'granted';
end $$;

-- Opens the period that starts at p_start and grants its credits; what is left of the period before
-- expires in the same transaction. Unique by (organization, start). Answers renewed, repeat, early, over or stale.
create function ledger_renew(
  p_org uuid, p_id uuid, p_amount bigint, p_start timestamptz, p_end timestamptz, p_reference text,
  p_description text, out outcome text, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_left bigint;
begin
  if p_end <= p_start then raise exception 'a period must end after it starts'; end if;
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  outcome := case
    when exists (select 1 from grants g where g.org_id = p_org
      and ((g.kind = 'plan' and g.period_start = p_start) or g.reference = p_reference)) then 'repeat'
    when p_start > v_at then 'early'
    when p_end <= v_at then 'over'
    when account.period_start > p_start then 'stale'
    else 'renewed' end;
  if outcome = 'renewed' then
    v_left := account.subscription_available;
    if v_left > 0 then
      account.subscription_available := 0;
      account := append_entry(account, v_at, 'expire', 'subscription', -v_left, null, null,
        'subscription credits of the period before expired');
    end if;
    account.period_no := account.period_no + 1;
    account.period_start := p_start;
    account.period_end := p_end;
    account.subscription_available := p_amount;
    insert into grants values (p_org, p_id, v_at, 'subscription', 'plan', p_amount, p_reference, p_start, p_end);
    account := append_entry(account, v_at, 'grant', 'subscription', p_amount, null, coalesce(p_reference, p_id::text), p_description);
  end if;
  perform save_account(account);
end $$;

-- A correction by hand. Never below zero: insufficient says so; no_open_period where subscription credits have nowhere to go.
create function ledger_adjust(
  p_org uuid, p_pool text, p_amount bigint, p_description text, out outcome text, out account accounts
) language plpgsql as $$
declare v_at timestamptz;
begin
  account := lock_account(p_org);
  v_at := bursar_now();
  account := expire_due(account, v_at);
  outcome := case
    when p_pool = 'subscription' and account.subscription_available + p_amount < 0 then 'insufficient'
    when p_pool = 'anytime' and account.anytime_available + p_amount < 0 then 'insufficient'
    when p_pool = 'subscription' and account.period_end is null then 'no_open_period'
    else 'adjusted' end;
  if outcome = 'adjusted' then
    if p_pool = 'subscription' then account.subscription_available := account.subscription_available + p_amount;
    else account.anytime_available := account.anytime_available + p_amount; end if;
    account := append_entry(account, v_at, 'adjust', p_pool, p_amount, null, null, p_description);
  end if;
  perform save_account(account);
end $$;

-- Takes a lease, or a new epoch where the old one was lost.
create function lease_acquire(p_process uuid, p_host text, p_pid integer) returns integer language sql as $$
  insert into processes (process_id, epoch, host, pid, started_at, expires_at)
    values (p_process, 1, p_host, p_pid, bursar_now(), bursar_now() + interval '15 s')
    on conflict (process_id) do update set epoch = processes.epoch + 1, expires_at = bursar_now() + interval '15 s', ended_at = null
    returning epoch
$$;

-- True while the epoch is still ours. An expired lease that nobody has ended yet may be renewed:
-- its holds are all still there.
create function lease_renew(p_process uuid, p_epoch integer) returns boolean language plpgsql as $$
begin
  update processes set expires_at = bursar_now() + interval '15 s'
    where process_id = p_process and epoch = p_epoch and ended_at is null;
  return found;
end $$;

create function lease_leave(p_process uuid, p_epoch integer) returns void language sql as $$
  update processes set ended_at = bursar_now() where process_id = p_process and epoch = p_epoch and ended_at is null
$$;

-- Ends the leases that ran out; from then on their holds are orphans.
create function lease_end_expired() returns integer language plpgsql as $$
declare v_ended integer;
begin
  update processes set ended_at = bursar_now() where ended_at is null and expires_at < bursar_now();
  get diagnostics v_ended = row_count;
  delete from processes p where p.ended_at < bursar_now() - interval '1 day'
    and not exists (select 1 from holds h where h.process_id = p.process_id);
  return v_ended;
end $$;

-- Read without locks; release checks again under the account's lock.
create function orphaned_holds(p_limit integer) returns setof holds language sql stable as $$
  select h.* from holds h
    left join processes p on p.process_id = h.process_id and p.epoch = h.epoch and p.ended_at is null
    where h.kind = 'call' and (p.process_id is null or h.ends_at < bursar_now())
    order by h.org_id limit p_limit
$$;
