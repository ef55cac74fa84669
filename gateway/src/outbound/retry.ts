import { ProviderFailure } from "../contract/index.ts";
import type { StopSignal } from "../kit/index.ts";
import { EarlyResetFailure, UnstartedFailure } from "./failures/network-failure.ts";

/**
 * Retries once on the same target, for calls that failed before the provider can have begun. Every call earns a tenth
 * of a retry and a retry costs a whole one, so a provider that is down gets a tenth more calls, not twice as many.
 */
type Retrier = {
  run<T>(call: () => Promise<T>, signal: StopSignal): Promise<T>;
};

const EARNED_PER_CALL = 0.1;
/** Most retries that can be saved up: enough for a provider's restart, too few for a flood. */
const MOST_SAVED = 10;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;
const DIED_SOON = [UnstartedFailure, EarlyResetFailure];

type RetrierOptions = {
  readonly random?: () => number;
  /** The failures to retry after. UnstartedFailure alone if a call that arrives twice is carried out twice. */
  readonly after?: readonly (typeof ProviderFailure)[];
};

export function createRetrier({ random = Math.random, after = DIED_SOON }: RetrierOptions = {}): Retrier {
  let saved = MOST_SAVED;
  return {
    async run(call, signal) {
      saved = Math.min(MOST_SAVED, saved + EARNED_PER_CALL);
      try {
        return await call();
      } catch (error) {
        if (!after.some((kind) => error instanceof kind) || saved < 1) throw error;
        saved -= 1;
        // Random, so that calls that failed together do not come back together.
        await pause(MIN_PAUSE_MS + random() * (MAX_PAUSE_MS - MIN_PAUSE_MS), signal);
        return call().catch(repeated);
      }
    },
  };
}

function repeated(error: unknown): never {
  if (error instanceof ProviderFailure) error.isRepeated = true;
  throw error;
}

/** Waits, or rejects at once with the signal's reason. */
export function pause(durationMs: number, signal: StopSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, durationMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
