import { createDeadlineQueues, type Deadline, Stopped, type StopReason } from "../../kit/index.ts";

/** A running paid call. Has no AbortSignal: most calls are never stopped, and a signal has a cost for each. */
export type RunningCall = {
  /** Why it must end (deadline, end of a drain, lost lease, client disconnected); null while it may go on. */
  readonly stopped: Stopped | null;
  /** Called when it is stopped from now on. One listener; a later one replaces it. */
  onStop(listener: (stopped: Stopped) => void): void;
  /** Stops this call only. */
  stop(reason: StopReason): void;
  end(): void;
};

export type RunningCalls = {
  start(timeoutMs: number): RunningCall;
  stopAll(reason: StopReason): void;
  readonly count: number;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
};

/** All paid calls that run in this process, so that a drain can wait for them and a lost lease can stop them. */
export function createRunningCalls(): RunningCalls {
  const queueOf = createDeadlineQueues();
  const calls = new Set<Running>();
  let waiting: (() => void)[] = [];

  function whenOneEnded(): void {
    if (calls.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    start(timeoutMs) {
      const call = new Running(calls, whenOneEnded);
      call.deadline = queueOf(timeoutMs).add(call, stopAtDeadline);
      return call;
    },
    stopAll(reason) {
      for (const call of calls) call.stop(reason);
    },
    get count() {
      return calls.size;
    },
    idle: () => (calls.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function stopAtDeadline(call: Running): void {
  call.stop("deadline");
}

class Running implements RunningCall {
  stopped: Stopped | null = null;
  deadline: Deadline | null = null;
  #listener: ((stopped: Stopped) => void) | null = null;

  constructor(
    readonly calls: Set<Running>,
    readonly whenEnded: () => void,
  ) {
    calls.add(this);
  }

  onStop(listener: (stopped: Stopped) => void): void {
    this.#listener = listener;
  }

  /** The first reason is kept, and a call that has ended is left alone. */
  stop(reason: StopReason): void {
    if (this.stopped !== null || !this.calls.has(this)) return;
    this.stopped = new Stopped(reason);
    this.#listener?.(this.stopped);
  }

  end(): void {
    if (!this.calls.delete(this)) return;
    this.deadline?.clear();
    this.whenEnded();
  }
}
