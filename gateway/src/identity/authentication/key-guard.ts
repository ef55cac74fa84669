import type { Clock } from "../../kit/index.ts";
import { networkOf } from "./network.ts";

/** `refuse`: too many failures are already being delayed; reply rate_limit_exceeded instead of the failure. */
type GuardVerdict =
  | { readonly outcome: "answer" }
  | { readonly outcome: "refuse"; readonly retryAfterSeconds: number };

/**
 * Slows down anyone who guesses keys. Consulted only after an authentication has failed, so a valid key is never
 * delayed or refused, whatever else comes from its address.
 */
export type KeyGuard = {
  recordFailure(clientAddress: string): Promise<GuardVerdict>;
  /** Failures being delayed now; a metric. */
  readonly waiting: number;
};

type KeyGuardOptions = {
  clock: Clock;
  delayMs?: number;
  maxWaiting?: number;
  maxNetworks?: number;
};

const WINDOW_MS = 60_000;
const FAILURES_PER_WINDOW = 60;
const ANSWER: GuardVerdict = { outcome: "answer" };

type Window = { startedMs: number; failures: number };

export function createKeyGuard(options: KeyGuardOptions): KeyGuard {
  const { clock, delayMs = 500, maxWaiting = 256, maxNetworks = 10_000 } = options;
  const windows = new Map<string, Window>();
  let waiting = 0;

  function windowOf(network: string): Window {
    const nowMs = clock.elapsedMs();
    const current = windows.get(network);
    if (current && nowMs - current.startedMs < WINDOW_MS) return current;
    windows.delete(network);
    // Drops the oldest window first: it would end soonest.
    for (const oldest of windows.keys()) {
      if (windows.size < maxNetworks) break;
      windows.delete(oldest);
    }
    const fresh = { startedMs: nowMs, failures: 0 };
    windows.set(network, fresh);
    return fresh;
  }

  return {
    async recordFailure(clientAddress) {
      const window = windowOf(networkOf(clientAddress));
      window.failures++;
      if (window.failures <= FAILURES_PER_WINDOW) return ANSWER;
      if (waiting >= maxWaiting) {
        const leftMs = window.startedMs + WINDOW_MS - clock.elapsedMs();
        return { outcome: "refuse", retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
      }
      waiting++;
      await Bun.sleep(delayMs);
      waiting--;
      return ANSWER;
    },
    get waiting() {
      return waiting;
    },
  };
}
