-- Brings what was taken back of a payment in line with its refunds and disputes, as often as it is asked. Taken
-- first from what is left of the period that it opened, then from anytime credits; what was spent already is a
-- debt. Credits of a dispute that was won come back, after the debt: what was taken of a month goes back to it while it
-- is the open one, so that monthly credits do not become ones that never expire. Of a month that is over they come as
-- anytime credits: it could not be used to its end. Answers the change; null where there is no such payment yet.
create or replace function reverse_payment(p_charge_reference text) returns bigint language plpgsql as $$
declare
  p payments%rowtype;
  a accounts%rowtype;
  v_at timestamptz;
  v_back_cents numeric;
  v_change bigint;
  v_rest bigint;
  v_part bigint;
  v_is_open boolean;
begin
  select * into p from payments x where x.charge_reference = p_charge_reference;
  if not found then return null; end if;
  a := lock_account(p.org_id);
  v_at := bursar_now();
  a := expire_due(a, v_at);
  select * into p from payments x where x.charge_reference = p_charge_reference;
  select coalesce(sum(r.amount_cents), 0) into v_back_cents from payment_reversals r
    where r.charge_reference = p_charge_reference;
  v_change := trunc(p.credits * least(v_back_cents, p.amount_cents) / p.amount_cents)::bigint - p.reversed_credits;
  v_rest := abs(v_change);
  v_is_open := p.pool = 'subscription' and coalesce(a.period_start = p.period_start, false);
  if v_change > 0 then
    if v_is_open then
      v_part := least(v_rest, a.subscription_available);
      if v_part > 0 then
        a.subscription_available := a.subscription_available - v_part;
        a := append_entry(a, v_at, 'adjust', 'subscription', -v_part, null, p.id, 'the payment was refunded or disputed');
        v_rest := v_rest - v_part;
      end if;
    end if;
    v_part := least(v_rest, a.anytime_available);
    if v_part > 0 then
      a.anytime_available := a.anytime_available - v_part;
      a := append_entry(a, v_at, 'adjust', 'anytime', -v_part, null, p.id, 'the payment was refunded or disputed');
    end if;
    a.debt := a.debt + v_rest - v_part;
  elsif v_change < 0 then
    v_part := least(v_rest, a.debt);
    a.debt := a.debt - v_part;
    v_rest := v_rest - v_part;
    if v_is_open then
      select least(v_rest, coalesce(-sum(e.amount), 0)) into v_part from entries e
        where e.org_id = p.org_id and e.type = 'adjust' and e.pool = 'subscription' and e.reference = p.id;
      if v_part > 0 then
        a.subscription_available := a.subscription_available + v_part;
        a := append_entry(a, v_at, 'adjust', 'subscription', v_part, null, p.id, 'a dispute of the payment was won');
        v_rest := v_rest - v_part;
      end if;
    end if;
    if v_rest > 0 then
      a.anytime_available := a.anytime_available + v_rest;
      a := append_entry(a, v_at, 'adjust', 'anytime', v_rest, null, p.id, 'a dispute of the payment was won');
    end if;
  end if;
  perform save_account(a);
  update payments set reversed_credits = reversed_credits + v_change,
    reversed_at = case when v_change > 0 then v_at else reversed_at end where id = p.id;
  if v_change > 0 then
    perform event_append(p.org_id, case when exists (select from payment_reversals r
        where r.charge_reference = p_charge_reference and r.kind = 'dispute' and r.amount_cents > 0)
      then 'payment.disputed' else 'payment.refunded' end, jsonb_build_object('payment_id', p.id, 'credits', v_change));
  end if;
  return v_change;
end $$;
