import type { Target } from "../catalog/index.ts";
import { assert, present, type Stopped } from "../kit/index.ts";
import { mayTryNext } from "./target-attempt.ts";

/** Whoever may stop the call while it waits. */
export type Stoppable = {
  readonly stopped: Stopped | null;
  onStop(listener: (stopped: Stopped) => void): void;
};

/** Told by an attempt when it begins, so that a stop reaches it. */
export type Attempting = (controller: AbortController) => void;

/** Ends with the work or with a stop, whichever comes first: a provider that heeds no signal keeps nobody waiting. */
export function untilStopped<Result>(
  call: Stoppable,
  work: (attempting: Attempting) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let controller: AbortController | null = null;
    call.onStop((stopped) => {
      controller?.abort(stopped);
      reject(stopped);
    });
    if (call.stopped !== null) return reject(call.stopped);
    work((next) => {
      controller = next;
    }).then(resolve, reject);
  });
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
