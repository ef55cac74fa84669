-- ledger_settle for one call that made something: charge and publication in one transaction. A repeat finds what the
-- first run published (or what was deleted since) and adds nothing; a late success was not charged and shows nothing;
-- an orphan was charged, so it is shown. A release that carries assets along, because its settlement did, shows
-- nothing either, and the sweep takes their bytes.
create or replace function ledger_settle_media(
  p_by text, p_org uuid, p_request uuid, p_cost bigint, p_status text, p_key uuid, p_member uuid, p_endpoint text,
  p_model text, p_input bigint, p_output bigint, p_saved bigint, p_latency integer, p_error text, p_price text,
  p_target text, p_reply text, p_assets text, p_measured text default null,
  p_reason text default null
) returns table (
  outcome text, charged_subscription bigint, charged_anytime bigint, written_off bigint,
  subscription_after bigint, anytime_after bigint
) language plpgsql as $$
begin
  select s.* into outcome, charged_subscription, charged_anytime, written_off, subscription_after, anytime_after
    from ledger_settle(p_by, array[p_org], array[1], array[p_request], array[p_cost], array[p_status], array[p_key],
      array[p_member], array[p_endpoint], array[p_model], array[p_input], array[p_output], array[p_saved],
      array[p_latency], array[p_error], array[p_price], array[p_target], array[p_reply],
      array[p_measured], array[p_reason]) s;
  if outcome in ('settled', 'orphan') and p_status <> 'failed' then
    perform publish_assets(p_org, p_request, p_key, p_member, p_model, charged_subscription + charged_anytime,
      p_assets::jsonb);
  end if;
  return next;
end $$;
