-- When a low balance was told last. Credits that came after it and are gone before the next look were never seen to be
-- enough, so that falling below would pass in silence.
alter table balance_notices add column low_told_at timestamptz;
update balance_notices set low_told_at = bursar_now() where not is_armed;
