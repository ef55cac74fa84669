import type { Target } from "../../catalog/index.ts";
import { isClearNo, ProviderFailure, type ProviderFailureKind } from "../../contract/index.ts";
import { assert, present, type Stopped, type Stopper, type StopSignal } from "../../kit/index.ts";
import { pause } from "../../outbound/index.ts";

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

/** A longer wait is the client's: it may have something better to do. */
const MAX_WAIT_SECONDS = 2;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;

/** The targets to ask, in order: the only one of a model twice. */
export function turnsOf(targets: readonly Target[]): readonly Target[] {
  assert(targets.length > 0, "a model that resolves has a target");
  return targets.length === 1 ? [...targets, ...targets] : targets;
}

type Asked = {
  readonly turns: readonly Target[];
  readonly at: number;
  readonly call: Pick<Stoppable, "stopped">;
};

/** Whether the next turn may follow after the one at index `at` failed: only before its first byte. */
export function mayAskNext(error: unknown, asked: Asked): boolean {
  const { turns, at, call } = asked;
  // The call may have been stopped before the provider failed: then nobody needs another attempt.
  if (call.stopped !== null || at + 1 === turns.length) return false;
  if (!(error instanceof ProviderFailure) || error.hasBegun) return false;
  if (isSameNext(asked)) return mayPassSoon(error);
  return TRY_NEXT.has(error.kind) || error.detail.field !== undefined;
}

function isSameNext({ turns, at }: Pick<Asked, "turns" | "at">): boolean {
  return turns[at] === turns[at + 1];
}

/** Whether the same target may do better in a moment. After a timeout, the caller has waited long enough. */
function mayPassSoon({ kind, detail, isRepeated, isOfTest }: ProviderFailure): boolean {
  const { isPassedOver, isUnpaid, targetHealth, reason, retryAfterSeconds = 0 } = detail;
  // It answered, though unreadably: the answer will be billed.
  if (reason === "provider_bad_reply") return false;
  if (isRepeated || isOfTest || isPassedOver || isUnpaid || targetHealth !== undefined) return false;
  return (kind === "unavailable" || kind === "rate_limited") && retryAfterSeconds <= MAX_WAIT_SECONDS;
}

/** Random, so that calls that failed together do not come back together. */
export async function pauseBeforeNext(
  error: unknown,
  asked: Pick<Asked, "turns" | "at">,
  signal: StopSignal | null,
): Promise<void> {
  if (!isSameNext(asked) || signal === null || !(error instanceof ProviderFailure)) return;
  const { retryAfterSeconds = 0 } = error.detail;
  const randomMs = MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS);
  await pause(retryAfterSeconds * 1_000 + randomMs, signal);
}

/**
 * Tries a model's targets in order, within one hold, until one answers. The only one is asked again only after a clear
 * no: otherwise it may have made the file.
 */
export async function targetsInTurn<Answer>(
  targets: readonly Target[],
  { call, attempting }: { readonly call: Stoppable; readonly attempting: Attempting },
  ask: (to: Target) => Promise<Answer>,
): Promise<Answer> {
  const turns = turnsOf(targets);
  for (let at = 0; ; at++) {
    try {
      return await ask(present(turns[at], "a target"));
    } catch (error) {
      if (!mayAskNext(error, { turns, at, call })) throw error;
      const isNo = error instanceof ProviderFailure && isClearNo(error);
      if (!isNo && isSameNext({ turns, at })) throw error;
      await pauseBeforeNext(error, { turns, at }, attempting.controller);
    }
  }
}
