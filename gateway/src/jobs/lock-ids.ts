/**
 * Advisory lock ids of everything that only one node may do at a time. A number belongs to its task forever, even after
 * the task is removed: during an upgrade, nodes of two versions run side by side. The next task gets 18.
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
  forget_refusals: 15,
  compare_nodes: 16,
  exchange_cache_habits: 17,
  forget_events: 18,
  make_demo: 100,
} as const;
