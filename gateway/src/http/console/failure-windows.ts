import type { Clock } from "../../kit/index.ts";

/** How often each of many names failed recently, in bounded memory. */
type FailureWindows = {
  /** Until when the name has no attempt left; 0 if it has one. Checking records nothing. */
  fullUntilMs(name: string): number;
  /** Counts a failure; the returned function takes it back. */
  count(name: string): () => void;
};

type FailureWindowsOptions = {
  clock: Clock;
  failures: number;
  windowMs: number;
  maxRemembered: number;
};

type Window = { readonly startedMs: number; failures: number };

export function createFailureWindows(options: FailureWindowsOptions): FailureWindows {
  const { clock, windowMs, maxRemembered } = options;
  /** In the order in which they started. */
  const windows = new Map<string, Window>();

  function isOver({ startedMs }: Window): boolean {
    return clock.elapsedMs() - startedMs >= windowMs;
  }

  /**
   * Forgets expired windows first, then those with the fewest failures, then the oldest: to make N failures of one
   * name forgotten, an attacker has to fail N times with every other name that is remembered.
   */
  function forgetOne(): void {
    let weakest = "";
    let fewest = Number.POSITIVE_INFINITY;
    for (const [name, window] of windows) {
      if (window.failures >= fewest) continue;
      weakest = name;
      fewest = window.failures;
      // No window has fewer than one failure; and if the oldest has not expired, none has.
      if (fewest === 1 || isOver(window)) break;
    }
    windows.delete(weakest);
  }

  function open(name: string): Window {
    windows.delete(name);
    if (windows.size >= maxRemembered) forgetOne();
    const opened = { startedMs: clock.elapsedMs(), failures: 0 };
    windows.set(name, opened);
    return opened;
  }

  function find(name: string): Window | undefined {
    const window = windows.get(name);
    return window && !isOver(window) ? window : undefined;
  }

  return {
    fullUntilMs(name) {
      const window = find(name);
      return window && window.failures >= options.failures ? window.startedMs + windowMs : 0;
    },
    count(name) {
      const window = find(name) ?? open(name);
      window.failures++;
      return () => {
        window.failures--;
        if (window.failures === 0 && windows.get(name) === window) windows.delete(name);
      };
    },
  };
}
