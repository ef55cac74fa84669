/**
 * The advisory lock of everything that one node does at a time. A number stays with its task for good, also when the task
 * goes: during an upgrade nodes of two versions run side by side. The next task takes 15.
 */
export const LOCK_IDS = {
  sweep_holds: 1,
  expire_periods: 2,
  renew_plans: 3,
  make_partitions: 4,
  forget_replies: 5,
  audit_ledger: 6,
  exchange_token_corrections: 7,
  sweep_objects: 8,
  forget_video_jobs: 9,
  tell_payers: 11,
  end_replaced_subscriptions: 12,
  end_inactive_subscriptions: 13,
  forget_expired: 14,
  make_demo: 100,
} as const;
