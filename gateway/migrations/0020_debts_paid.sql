-- 0017 lets whatever becomes available pay a debt first, but some accounts had anytime credits beside one by then: nothing
-- came back to them that would have asked for it. Here they pay, each with its entry, as 0017 does it.
do $$
declare a accounts%rowtype;
begin
  for a in select * from accounts x where x.debt > 0 and x.anytime_available > 0 order by x.org_id for update loop
    perform save_account(pay_debt(a, bursar_now(), 'debt of before'));
  end loop;
end $$;
