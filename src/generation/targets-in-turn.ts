import type { Target } from "../catalog/index.ts";
import { assert, present, type Stopped } from "../kit/index.ts";
import { mayTryNext } from "./target-attempt.ts";

/** Whoever may stop the call while it waits. */
export type Stoppable = {
  readonly stopped: Stopped | null;
  onStop(listener: (stopped: Stopped) => void): void;
};

/** What an attempt fills in when it begins, so that a stop reaches it. */
export type Attempting = { controller: AbortController | null };

/** Ends with the work or with a stop, whichever comes first: a provider that heeds no signal keeps nobody waiting. */
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

/** A model's targets in order, within one hold, until one answers. */
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
      if (call.stopped !== null || !mayTryNext(error) || at + 1 === targets.length) throw error;
    }
  }
}
