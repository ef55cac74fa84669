import { HOUR_MS } from "../kit/index.ts";
import { LOCK_IDS } from "./lock-ids.ts";
import type { ScheduledTask } from "./schedule.ts";

/** Removes what let people in until it expired. */
export function forgetExpiredTask(identity: { forgetExpired(): Promise<void> }): ScheduledTask {
  return {
    name: "forget_expired",
    lockId: LOCK_IDS.forget_expired,
    everyMs: HOUR_MS,
    run: () => identity.forgetExpired(),
  };
}
