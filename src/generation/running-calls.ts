import { Stopped, type StopReason } from "../kit/index.ts";

export type RunningCall = {
  /** Fires at the deadline, at the end of a drain, or when the process loses its lease. */
  readonly signal: AbortSignal;
  /** Ends this call's work alone. */
  stop(reason: StopReason): void;
  end(): void;
};

export type RunningCalls = {
  start(timeoutMs: number): RunningCall;
  stopAll(reason: StopReason): void;
  readonly count: number;
  /** Resolves when nothing runs. */
  idle(): Promise<void>;
};

/** Every paid call that runs in this process, so that a drain can wait for them and a lost lease can end them. */
export function createRunningCalls(): RunningCalls {
  const controllers = new Set<AbortController>();
  let waiting: (() => void)[] = [];

  return {
    start(timeoutMs) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(new Stopped("deadline")), timeoutMs);
      controllers.add(controller);
      return {
        signal: controller.signal,
        stop: (reason) => controller.abort(new Stopped(reason)),
        end() {
          clearTimeout(timer);
          controllers.delete(controller);
          if (controllers.size > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        },
      };
    },
    stopAll(reason) {
      for (const controller of controllers) controller.abort(new Stopped(reason));
    },
    get count() {
      return controllers.size;
    },
    idle: () =>
      controllers.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}
