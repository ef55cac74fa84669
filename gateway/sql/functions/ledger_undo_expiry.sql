-- Puts them back: into the period that is open, or into their own, which opens again. Over where their own has ended by
-- now: they would have expired in any case, or did so in time.
create or replace function ledger_undo_expiry(p_org uuid) returns table (seq bigint, amount bigint, outcome text) language plpgsql as $$
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
