-- When owners and admins are to be told that a payment of the plan failed: at once, or later where somebody is at it, who
-- may die over it. Null where they were told, or there is nothing to tell.
alter table paid_subscriptions add column tell_failure_at timestamptz;
