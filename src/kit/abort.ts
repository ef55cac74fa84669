/** Why work was stopped; a closed set, so that endings can be decided from it. */
export type StopReason = "client_gone" | "deadline" | "shutdown" | "lease_lost";

export class Stopped extends Error {
  override name = "Stopped";
  constructor(readonly reason: StopReason) {
    super(reason);
  }
}

/** Rejects when the signal fires, even if `work` never settles. The loser is not left unhandled. */
export async function raceSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    throw signal.reason;
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    work.catch(() => {});
    throw error;
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
  }
}
