import type { StopSignal } from "../../gateway/src/kit/index.ts";
import { pause } from "../../gateway/src/outbound/index.ts";

/** The longest wait of any directive, so that a sleeping call is bounded like any other. */
export const MAX_WAIT_MS = 120_000;

/** Rejects with the signal's reason as soon as it aborts; the timer does not outlive the wait. */
export async function wait(delayMs: number, signal: StopSignal): Promise<void> {
  signal.throwIfAborted();
  if (delayMs <= 0) return;
  await pause(Math.min(delayMs, MAX_WAIT_MS), signal);
}
