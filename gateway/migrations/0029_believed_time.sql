-- Time that jumps moves no money. Every statement that does tells the time that its node expects of this database: the
-- last one it saw and its own monotonic clock since. It is only compared. The rules of 0003 hold here too.

-- How far bursar_now() is from the clock of the database's host on purpose: only a test database moves it.
create function clock_offset() returns interval language sql immutable as $$ select interval '0' $$;

-- Tells it for this transaction and answers its second argument, so that the first argument of the function called can be
-- wrapped in it: arguments come before the call.
create function expecting(p_expected text, p_argument text) returns text language plpgsql as $$
begin
  perform set_config('bursar.expected_at', p_expected, true);
  return p_argument;
end $$;

-- The time that the caller expects; null of nodes of before, and of a session in psql.
create function expected_at(p_expected text default current_setting('bursar.expected_at', true)) returns timestamptz
  language sql volatile as $$ select nullif(p_expected, '')::timestamptz + clock_offset() $$;

create function time_is_believed(p_expected text default current_setting('bursar.expected_at', true)) returns boolean
  language sql volatile as $$
    select coalesce(abs(extract(epoch from bursar_now() - expected_at(p_expected))) <= 60, true)
  $$;

-- An operator's word that the time is right: when, by the host's clock, and how far that was ahead of the operator's
-- machine.
create table clock_acceptances (
  is_last boolean primary key default true check (is_last),
  accepted_at timestamptz not null,
  ahead_ms bigint not null
);

-- The last time that a process believed, by the host's clock: one that starts compares with it.
alter table processes add column believed_at timestamptz;
update processes set believed_at = expires_at;

-- As in 0004.
create or replace function lease_renew(p_process uuid, p_epoch integer) returns boolean language plpgsql as $$
begin
  update processes set expires_at = bursar_now() + interval '15 s',
      believed_at = case when time_is_believed() then bursar_now() - clock_offset() else believed_at end
    where process_id = p_process and epoch = p_epoch and ended_at is null;
  return found;
end $$;

-- As in 0013, but never by a time that is doubted.
create or replace function expire_due(a accounts, p_now timestamptz) returns accounts language plpgsql as $$
declare v_left bigint := a.subscription_available;
begin
  if a.period_end is null or a.period_end > p_now or not time_is_believed() then return a; end if;
  a.subscription_available := 0;
  a.period_start := null;
  a.period_end := null;
  if v_left > 0 then
    a := append_entry(a, p_now, 'expire', 'subscription', -v_left, null, null, 'subscription credits expired');
  end if;
  return open_next_period(a, p_now);
end $$;

-- As in 0011, but a period that has not been seen to end counts.
create or replace function balance_standing(a accounts, p_low_credits bigint, p_low_percent bigint)
returns table (available bigint, granted bigint, is_low boolean) language sql stable as $$
  select b.available, b.granted, b.available < greatest(p_low_credits, b.granted * p_low_percent / 100)
  from (select
    case when p.is_open then a.subscription_available else 0 end
      + a.subscription_held + a.anytime_available + a.anytime_held as available,
    (select coalesce(sum(g.amount), 0)::bigint from grants g where g.org_id = a.org_id
      and g.period_start = a.period_start and p.is_open) as granted
    from (select a.period_end > bursar_now() or not time_is_believed() as is_open) p) b
$$;

-- As in 0013, and by a time that is doubted every month is early but an organization's first: nothing ends by it.
create or replace function ledger_renew(
  p_org uuid, p_id uuid, p_amount bigint, p_start timestamptz, p_end timestamptz, p_reference text,
  p_description text, p_plan_since timestamptz default null, out outcome text, out account accounts
) language plpgsql as $$
declare v_at timestamptz; v_left bigint; v_has_plan boolean := true;
begin
  if p_end <= p_start then raise exception 'a period must end after it starts'; end if;
  account := lock_account(p_org);
  if p_plan_since is not null then
    -- Locked too: who changes the plan at this moment comes before this, or after it.
    perform 1 from subscriptions s where s.org_id = p_org and s.started_at = p_plan_since and s.source = 'schedule' for update;
    v_has_plan := found;
  end if;
  v_at := bursar_now();
  account := expire_due(account, v_at);
  outcome := case
    when exists (select 1 from grants g where g.org_id = p_org
      and ((g.kind = 'plan' and g.period_start = p_start) or g.reference = p_reference)) then 'repeat'
    when not v_has_plan then 'changed'
    when p_start > v_at or account.period_no > 0 and not time_is_believed() then 'early'
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
    account := open_period(account, v_at, p_id, p_amount, p_start, p_end, p_reference, p_description);
  end if;
  perform save_account(account);
end $$;

-- What a call holds of what is available. One whose caller set no limit leaves something to the next, unless there is plenty:
-- a quarter at most, and never less than it needs.
create function hold_amount(p_minimum bigint, p_full bigint, p_available bigint, p_shares boolean) returns bigint
  language sql immutable as $$
    select case when p_shares and p_available < 8 * p_full then greatest(p_minimum, least(p_full, p_available / 4))
      else least(p_full, p_available) end
  $$;

-- Both take last whether the call shares, and nodes of before leave it out: theirs do not. As in 0006:
drop function ledger_admit_one(
  uuid, integer, uuid, uuid, uuid, uuid, text, text, bigint, bigint, integer, integer, bigint);
create function ledger_admit_one(
  p_process uuid, p_epoch integer, p_org uuid, p_request uuid, p_key uuid, p_member uuid, p_endpoint text, p_model text,
  p_minimum bigint, p_full bigint, p_rate integer, p_in_flight integer, p_ttl_ms bigint,
  p_shares boolean default false,
  out granted bigint, out rate_left integer, out reset_ms integer
) language plpgsql as $$
declare
  v_now timestamptz;
  v_window timestamptz;
  v_window_start timestamptz;
  v_window_count integer;
  v_period_no bigint;
  v_period_end timestamptz;
  v_subscription bigint;
  v_anytime bigint;
begin
  -- After a wait for the lock the conditions on the account are asked again, of the row as it is then.
  select a.subscription_available, a.anytime_available, a.period_no, a.period_end, a.window_start, a.window_count
    into v_subscription, v_anytime, v_period_no, v_period_end, v_window_start, v_window_count
    from accounts a
    where a.org_id = p_org and a.calls_in_flight < p_in_flight and p_minimum between 0 and p_full
      and p_minimum <= a.subscription_available + a.anytime_available
      and exists (select 1 from processes p where p.process_id = p_process and p.epoch = p_epoch and p.ended_at is null)
    for update;
  if not found then return; end if;
  v_now := bursar_now();
  v_window := date_bin('60 s', v_now, 'epoch'::timestamptz);
  if v_window_start <> v_window then v_window_count := 0; end if;
  if v_window_count >= p_rate or v_period_end <= v_now then return; end if;

  granted := hold_amount(p_minimum, p_full, v_subscription + v_anytime, p_shares);
  v_subscription := least(granted, v_subscription);
  v_anytime := granted - v_subscription;
  with hold as (
    insert into holds values (p_org, p_request, 'call', v_subscription, v_anytime, v_period_no, p_process, p_epoch,
      v_now, v_now + p_ttl_ms * interval '1 ms', p_endpoint, p_model, p_key, p_member, false, null)
  )
  update accounts a set
      subscription_available = a.subscription_available - v_subscription,
      subscription_held = a.subscription_held + v_subscription,
      anytime_available = a.anytime_available - v_anytime,
      anytime_held = a.anytime_held + v_anytime,
      window_start = v_window, window_count = v_window_count + 1, calls_in_flight = a.calls_in_flight + 1
    where a.org_id = p_org;
  rate_left := p_rate - v_window_count - 1;
  reset_ms := ceil(extract(epoch from (v_window + interval '60 s' - v_now)) * 1000);
end $$;

drop function ledger_admit(
  uuid, integer, boolean, uuid[], integer[], uuid[], uuid[], uuid[], text[], text[], text[], bigint[], bigint[],
  integer[], integer[], integer[], integer[], bigint[], text[], bytea[]);

-- An Idempotency-Key belongs to the API key that sent it: no other is handed its reply or stands in its way. Rows of before
-- are given the API key of their call, so that a repeat finds them across the upgrade; left to age out, it would run, and
-- be charged, once more. What a node of before has begun by the old function cannot be written, and is asked anew.
alter table idempotency add column key_id uuid;
update idempotency d set key_id = coalesce(
  (select h.key_id from holds h where h.org_id = d.org_id and h.request_id = d.request_id),
  (select q.key_id from requests q where q.org_id = d.org_id and q.request_id = d.request_id));
-- Of neither: nothing runs, and nothing was charged.
delete from idempotency where key_id is null;
alter table idempotency alter column key_id set not null, drop constraint idempotency_pkey,
  add primary key (org_id, endpoint, key, key_id);

-- As in 0027, but by a time that is doubted no repeat is too late, and a clock that went back shortens nobody's day.
create function ledger_admit(
  p_process uuid, p_epoch integer, p_retry boolean, p_org uuid[], p_count integer[],
  p_request uuid[], p_key uuid[], p_member uuid[], p_endpoint text[], p_model text[], p_kind text[],
  p_minimum bigint[], p_full bigint[], p_rate integer[], p_in_flight integer[],
  p_key_rate integer[], p_key_in_flight integer[], p_ttl_ms bigint[],
  p_idempotency text[], p_fingerprint bytea[], p_shares boolean[] default null
) returns table (
  outcome text, granted bigint, available bigint, held bigint,
  rate_limit integer, rate_left integer, reset_ms integer,
  first_request uuid, reply text, charged bigint, subscription_after bigint, anytime_after bigint
) language plpgsql
as $$
declare
  a accounts%rowtype;
  k key_windows%rowtype;
  f record;
  v_now timestamptz;
  v_window timestamptz;
  v_lease boolean;
  o integer := 0;
  i integer := 0;
  v_has_key boolean;
  v_from_subscription bigint;
  v_holds holds[] := '{}';
begin
  v_lease := exists (select 1 from processes p where p.process_id = p_process and p.epoch = p_epoch and p.ended_at is null);
  for a in select * from accounts x where x.org_id = any(p_org) order by x.org_id for update loop
    o := o + 1;
    if a.org_id <> p_org[o] then raise exception 'no account for organization %', p_org[o]; end if;
    v_now := bursar_now();
    v_window := date_bin('60 s', v_now, 'epoch'::timestamptz);
    if a.period_end <= v_now then a := expire_due(a, v_now); end if;
    if a.window_start <> v_window then a.window_start := v_window; a.window_count := 0; end if;
    for n in 1 .. p_count[o] loop
      i := i + 1;
      -- Null too: least() passes over it, and a call without a minimum would start on nothing.
      if (p_minimum[i] between 0 and p_full[i]) is not true then
        raise exception 'a hold needs 0 <= minimum <= full, not % and %', p_minimum[i], p_full[i];
      end if;
      granted := 0; first_request := null; reply := null; charged := 0; subscription_after := 0; anytime_after := 0;
      available := a.subscription_available + a.anytime_available;
      held := a.subscription_held + a.anytime_held;
      rate_limit := p_rate[i];
      rate_left := greatest(p_rate[i] - a.window_count, 0);
      reset_ms := ceil(extract(epoch from (v_window + interval '60 s' - v_now)) * 1000);

      if not v_lease then
        outcome := 'lease_lost'; return next; continue;
      end if;

      v_has_key := p_key_rate[i] is not null or p_key_in_flight[i] is not null;
      if v_has_key then
        select * into k from key_windows w where w.org_id = a.org_id and w.key_id = p_key[i];
        if not found then
          insert into key_windows values (a.org_id, p_key[i], v_window, 0, 0) returning * into k;
        elsif k.window_start <> v_window then
          k.window_start := v_window; k.window_count := 0;
        end if;
        if p_key_rate[i] is not null and p_key_rate[i] - k.window_count < rate_left then
          rate_limit := p_key_rate[i]; rate_left := greatest(p_key_rate[i] - k.window_count, 0);
        end if;
      end if;

      -- After a lost answer the first run may have been committed: its hold is the answer.
      if p_retry then
        select h.subscription + h.anytime into granted from holds h where h.org_id = a.org_id and h.request_id = p_request[i];
        if found then outcome := 'admitted'; return next; continue; end if;
        granted := 0;
      end if;

      if p_idempotency[i] is not null then
        select d.state, d.fingerprint, d.request_id, d.reply, r.charged_subscription + r.charged_anytime as charged,
            r.subscription_after, r.anytime_after into f
          from idempotency d left join requests r on r.org_id = d.org_id and r.request_id = d.request_id
          where d.org_id = a.org_id and d.endpoint = p_endpoint[i] and d.key = p_idempotency[i]
            and d.key_id = p_key[i] and (d.state = 'running' or d.expires_at > v_now or not time_is_believed());
        if found then
          first_request := f.request_id;
          if f.fingerprint <> p_fingerprint[i] then outcome := 'conflict';
          elsif f.state = 'running' then outcome := 'running';
          else
            outcome := 'replay'; reply := f.reply; charged := f.charged;
            subscription_after := f.subscription_after; anytime_after := f.anytime_after;
          end if;
          return next; continue;
        end if;
      end if;

      if rate_left <= 0 then
        outcome := 'rate_limited'; return next; continue;
      end if;
      if (p_kind[i] = 'call' and a.calls_in_flight >= p_in_flight[i])
        or (p_kind[i] = 'job' and a.jobs_in_flight >= p_in_flight[i])
        or (v_has_key and p_key_in_flight[i] is not null and k.calls_in_flight >= p_key_in_flight[i])
      then
        outcome := 'too_many_in_flight'; return next; continue;
      end if;

      a.window_count := a.window_count + 1;
      rate_left := rate_left - 1;
      if p_minimum[i] > available then
        outcome := 'insufficient';
      else
        outcome := 'admitted';
        granted := hold_amount(p_minimum[i], p_full[i], available, p_shares[i]);
        v_from_subscription := least(granted, a.subscription_available);
        a.subscription_available := a.subscription_available - v_from_subscription;
        a.subscription_held := a.subscription_held + v_from_subscription;
        a.anytime_available := a.anytime_available - (granted - v_from_subscription);
        a.anytime_held := a.anytime_held + (granted - v_from_subscription);
        if p_kind[i] = 'call' then a.calls_in_flight := a.calls_in_flight + 1;
        else a.jobs_in_flight := a.jobs_in_flight + 1; end if;
        v_holds := array_append(v_holds, row(a.org_id, p_request[i], p_kind[i], v_from_subscription,
          granted - v_from_subscription, a.period_no, p_process, p_epoch, v_now,
          v_now + p_ttl_ms[i] * interval '1 ms', p_endpoint[i], p_model[i], p_key[i], p_member[i],
          p_kind[i] = 'call' and p_key_in_flight[i] is not null, p_idempotency[i])::holds);
        if p_idempotency[i] is not null then
          insert into idempotency values (a.org_id, p_endpoint[i], p_idempotency[i], p_fingerprint[i], p_request[i],
              'running', null, greatest(v_now, expected_at()) + interval '24 hours', p_key[i])
            on conflict (org_id, endpoint, key, key_id) do update set fingerprint = excluded.fingerprint,
              request_id = excluded.request_id, state = 'running', reply = null, expires_at = excluded.expires_at;
        end if;
      end if;
      if v_has_key then
        update key_windows w set window_start = k.window_start, window_count = k.window_count + 1,
            calls_in_flight = k.calls_in_flight
              + (outcome = 'admitted' and p_kind[i] = 'call' and p_key_in_flight[i] is not null)::integer
          where w.org_id = a.org_id and w.key_id = p_key[i];
      end if;
      return next;
    end loop;
    perform save_account(a);
  end loop;
  if o <> cardinality(p_org) then raise exception 'no account for organization %', p_org[o + 1]; end if;

  insert into holds select * from unnest(v_holds);
end $$;

-- Credits that expired though their period had not ended, and were not put back yet. When an entry was really written is
-- shown by those after it, and by now: none is older than the one before it, unless the clock went back. By its own time the
-- period was over: what another plan replaced was not, and was right to expire. What a call gave back to a period that had
-- been ended that way expired too, at a time that is right.
create function wrong_expiries(p_org uuid)
returns table (seq bigint, amount bigint, period_start timestamptz, ends_at timestamptz) language sql stable as $$
  select e.seq, -e.amount, g.period_start, g.expires_at
  from entries e
    cross join lateral (select least(e.created_at, bursar_now(), min(y.created_at)) as at
      from entries y where y.org_id = e.org_id and y.seq > e.seq) written
    cross join lateral (select y.seq, r.period_start, r.expires_at
      from entries y join grants r on r.org_id = y.org_id and coalesce(r.reference, r.id::text) = y.reference
      where y.org_id = e.org_id and y.seq < e.seq and y.type = 'grant' and y.pool = 'subscription'
      order by y.seq desc limit 1) g
  where e.org_id = p_org and e.type = 'expire' and written.at < g.expires_at
    and (e.created_at > written.at + interval '60 s' and e.created_at >= g.expires_at
      or e.request_id is not null and exists (select from entries y where y.org_id = e.org_id and y.type = 'expire'
        and y.request_id is null and y.seq > g.seq and y.seq < e.seq))
    and not exists (select from entries y where y.org_id = e.org_id and y.reference = 'undo:' || e.seq and y.type = 'adjust'
      and y.pool = 'subscription')
  order by e.seq
$$;

-- Puts them back: into the period that is open, or into their own, which opens again. Over where their own has ended by
-- now: they would have expired in any case, or did so in time.
create function ledger_undo_expiry(p_org uuid) returns table (seq bigint, amount bigint, outcome text) language plpgsql as $$
declare a accounts; v_at timestamptz; w record;
begin
  a := lock_account(p_org);
  if not time_is_believed() then raise exception 'the time of the database is doubted'; end if;
  v_at := bursar_now();
  a := expire_due(a, v_at);
  for w in select * from wrong_expiries(p_org) loop
    seq := w.seq; amount := w.amount; outcome := 'joined';
    if w.ends_at <= v_at then outcome := 'over'; return next; continue; end if;
    if a.period_end is null then
      -- Under its own number: what running calls hold of it goes back to it.
      a.period_start := w.period_start;
      a.period_end := w.ends_at;
      outcome := 'reopened';
    end if;
    a.subscription_available := a.subscription_available + w.amount;
    a := append_entry(a, v_at, 'adjust', 'subscription', w.amount, null, 'undo:' || w.seq,
      'credits that expired in a jump of the clock');
    return next;
  end loop;
  perform save_account(a);
end $$;
