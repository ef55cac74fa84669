import { HOUR_MS } from "../kit/index.ts";
import type { ScheduledTask } from "./schedule.ts";

/** Removes what let people in until it expired. */
export function forgetExpiredTask(identity: { forgetExpired(): Promise<void> }): ScheduledTask {
  return { name: "forget_expired", lockId: 14, everyMs: HOUR_MS, run: () => identity.forgetExpired() };
}
