import { afterOrder, ProviderFailure, UnusableFile } from "../../contract/index.ts";
import type { StopSignal } from "../../kit/index.ts";
import { pause, UnsafeAddress } from "../../outbound/index.ts";

/** Pauses before each retry. Most hiccups are over at once; a new file may take a moment to reach all its servers. */
const PAUSES_MS = [50, 500, 2_500];

type Backoff = {
  /** Limit for all tries together, the same that a single try would have. */
  readonly withinMs: number;
  readonly signal: StopSignal;
};

/**
 * A file that a provider made will be billed, so one hiccup of its host must not lose it: even a 404 is retried.
 * Failures that would certainly repeat are not.
 */
export async function fetchWithBackoff<File>(
  fetchFile: (leftMs: number) => Promise<File>,
  { withinMs, signal }: Backoff,
): Promise<File> {
  const endsAtMs = performance.now() + withinMs;
  const leftMs = () => endsAtMs - performance.now();
  for (let tries = 0; ; tries++) {
    const pauseMs = PAUSES_MS[tries] ?? Number.POSITIVE_INFINITY;
    try {
      return await fetchFile(leftMs());
    } catch (error) {
      if (!mayStillCome(error) || leftMs() <= pauseMs) throw afterOrder(error);
    }
    await pause(pauseMs, signal);
  }
}

function mayStillCome(error: unknown): boolean {
  if (!(error instanceof ProviderFailure)) return false;
  return !(error instanceof UnsafeAddress || error instanceof UnusableFile || error.detail.isExcess);
}
