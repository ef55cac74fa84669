import type { StopSignal } from "../../kit/index.ts";
import { ProviderFailure } from "../contract.ts";
import { pause, UnsafeAddress } from "../outbound/index.ts";
import { UnusableFile } from "./unusable-file.ts";

/** Before each further try. Most hiccups are over at once; a file may take a moment to reach every server of its host. */
const PAUSES_MS = [50, 500, 2_500];

type Patience = {
  /** For all tries together, as long as one alone would have had. */
  readonly withinMs: number;
  readonly signal: StopSignal;
};

/**
 * A file that a provider has made will be paid for, so that one hiccup of its host must not lose it: it is asked for
 * again, even where it is said not to be there. Not where the same would come for sure.
 */
export async function fetchPatiently<File>(
  fetchFile: (leftMs: number) => Promise<File>,
  { withinMs, signal }: Patience,
): Promise<File> {
  const endsAtMs = performance.now() + withinMs;
  const leftMs = () => endsAtMs - performance.now();
  for (const pauseMs of PAUSES_MS) {
    try {
      return await fetchFile(leftMs());
    } catch (error) {
      if (!mayStillCome(error) || leftMs() <= pauseMs) throw error;
    }
    await pause(pauseMs, signal);
  }
  return fetchFile(leftMs());
}

function mayStillCome(error: unknown): boolean {
  if (!(error instanceof ProviderFailure)) return false;
  return !(error instanceof UnsafeAddress || error instanceof UnusableFile || error.detail.isExcess);
}
