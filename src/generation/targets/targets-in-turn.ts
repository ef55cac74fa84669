import type { Target } from "../../catalog/index.ts";
import { assert, present, type Stopped, type Stopper } from "../../kit/index.ts";
import { ProviderFailure, type ProviderFailureKind } from "../../providers/index.ts";

/** A call that may be stopped while it waits. */
export type Stoppable = {
  readonly stopped: Stopped | null;
  onStop(listener: (stopped: Stopped) => void): void;
};

/** Set by an attempt when it starts, so that a stop can abort it. */
export type Attempting = { controller: Stopper | null };

/**
 * Settles with the work or with a stop, whichever comes first: a provider that ignores its signal keeps nobody
 * waiting.
 */
export function untilStopped<Result>(
  call: Stoppable,
  work: (attempting: Attempting) => Promise<Result>,
): Promise<Result> {
  if (call.stopped !== null) return Promise.reject(call.stopped);
  const attempting: Attempting = { controller: null };
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  call.onStop((stopped) => {
    attempting.controller?.abort(stopped);
    reject(stopped);
  });
  work(attempting).then(resolve, reject);
  return promise;
}

/** Failures that another target may not share. What one provider rejects as invalid, the next one would too. */
const TRY_NEXT: ReadonlySet<ProviderFailureKind> = new Set([
  "rate_limited",
  "unavailable",
  "timeout",
  "unauthorized",
]);

/** Whether the next target may be tried after the one at index `at` failed: only before its first byte. */
export function mayAskNext(
  error: unknown,
  asked: {
    readonly targets: readonly Target[];
    readonly at: number;
    readonly call: Pick<Stoppable, "stopped">;
  },
): boolean {
  const { targets, at, call } = asked;
  // The call may have been stopped before the provider failed: then nobody needs another attempt.
  if (call.stopped !== null || at + 1 === targets.length) return false;
  if (!(error instanceof ProviderFailure) || error.hasBegun) return false;
  return TRY_NEXT.has(error.kind) || error.detail.field !== undefined;
}

/** Tries a model's targets in order, within one hold, until one answers. */
export async function targetsInTurn<Answer>(
  targets: readonly Target[],
  call: Stoppable,
  ask: (to: Target) => Promise<Answer>,
): Promise<Answer> {
  assert(targets.length > 0, "a model that resolves has a target");
  for (let at = 0; ; at++) {
    try {
      return await ask(present(targets[at], "a target"));
    } catch (error) {
      if (!mayAskNext(error, { targets, at, call })) throw error;
    }
  }
}
