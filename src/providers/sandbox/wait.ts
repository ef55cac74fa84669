import type { StopSignal } from "../../kit/index.ts";
import { pause } from "../outbound/index.ts";

/** No directive waits longer, so a call that sleeps is bounded like any other. */
export const MAX_WAIT_MS = 120_000;

/** Ends with the signal's reason the moment it fires; the timer does not outlive the wait. */
export async function wait(delayMs: number, signal: StopSignal): Promise<void> {
  signal.throwIfAborted();
  if (delayMs <= 0) return;
  await pause(Math.min(delayMs, MAX_WAIT_MS), signal);
}
