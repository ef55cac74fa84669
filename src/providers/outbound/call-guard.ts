import type { ProviderFailure } from "../contract.ts";
import { timeoutFailure } from "./network-failure.ts";
import type { OutboundTimeouts } from "./outbound-call.ts";
import type { Reachability } from "./reachability.ts";

/** Stops one call: when its caller does, or when a wait takes too long. One timer, one listener. */
export type CallGuard = {
  readonly host: string;
  /** For fetch: fires with the reason that the call ends with. */
  readonly signal: AbortSignal;
  readonly elapsedMs: number;
  /** The provider answered: from now on a wait is for a piece of the body. */
  answered(): void;
  waitBegins(): void;
  waitEnds(): void;
  /** What the call ends with instead of `error`, if the caller or a timeout stopped it. */
  stoppedBy(): { readonly reason: unknown } | null;
  /** No timer and no listener after this; may be called again. */
  end(): void;
};

const NEVER = Number.POSITIVE_INFINITY;

export function createCallGuard(input: {
  readonly signal: AbortSignal;
  readonly timeouts: OutboundTimeouts;
  readonly reachability: Reachability;
}): CallGuard {
  const { signal, timeouts, reachability } = input;
  const { host } = reachability;
  const controller = new AbortController();
  const startedMs = performance.now();
  const firstByteAtMs = startedMs + timeouts.firstByteMs;
  let phase: "headers" | "first_byte" | "body" = "headers";
  let failure: ProviderFailure | undefined;
  let deadlineMs = firstByteAtMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAtMs = NEVER;
  let connectTimer: ReturnType<typeof setTimeout> | undefined = setTimeout(
    checkConnect,
    timeouts.connectMs / 2,
  );

  const onAbort = () => {
    end();
    controller.abort(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  arm(deadlineMs);

  function expire(what: string): void {
    if (failure !== undefined || signal.aborted) return;
    failure = timeoutFailure(what, host);
    end();
    controller.abort(failure);
  }

  function arm(atMs: number): void {
    if (timer !== undefined) clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(onTimer, Math.max(0, atMs - performance.now()));
  }

  /** The deadline moves with every piece of the body; the timer only looks whether it has been reached. */
  function onTimer(): void {
    timer = undefined;
    timerAtMs = NEVER;
    if (deadlineMs === NEVER) return;
    if (performance.now() < deadlineMs) arm(deadlineMs);
    else
      expire(
        phase === "body" ? `silent for ${timeouts.idleMs} ms` : `no byte for ${timeouts.firstByteMs} ms`,
      );
  }

  function checkConnect(): void {
    connectTimer = undefined;
    void reachability.isSilent(timeouts.connectMs / 2).then((isSilent) => {
      if (isSilent && phase === "headers") expire(`no connection for ${timeouts.connectMs} ms`);
    });
  }

  function end(): void {
    if (timer !== undefined) clearTimeout(timer);
    if (connectTimer !== undefined) clearTimeout(connectTimer);
    timer = undefined;
    connectTimer = undefined;
    timerAtMs = NEVER;
    deadlineMs = NEVER;
    signal.removeEventListener("abort", onAbort);
  }

  return {
    host,
    signal: controller.signal,
    get elapsedMs() {
      return performance.now() - startedMs;
    },
    answered() {
      reachability.answered();
      if (connectTimer !== undefined) clearTimeout(connectTimer);
      connectTimer = undefined;
      phase = "first_byte";
      deadlineMs = NEVER;
    },
    waitBegins() {
      deadlineMs = phase === "first_byte" ? firstByteAtMs : performance.now() + timeouts.idleMs;
      if (deadlineMs < timerAtMs) arm(deadlineMs);
    },
    waitEnds() {
      phase = "body";
      deadlineMs = NEVER;
    },
    stoppedBy() {
      if (signal.aborted) return { reason: signal.reason };
      return failure === undefined ? null : { reason: failure };
    },
    end,
  };
}
