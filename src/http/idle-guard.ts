/**
 * Lets a quiet connection end between requests but never while one is answered. Telling the server so
 * for each request would cost more than checking its key, so only requests that last are told about:
 * a look every few seconds finds them long before the server would cut them.
 */
export type IdleGuard = {
  begin(request: Request): void;
  end(request: Request): void;
  stop(): void;
};

export const IDLE_SECONDS = 75;
/** A request is spared at the latest two looks after it began, well within the idle time. */
const LOOK_INTERVAL_MS = 20_000;
const NEVER = 0;

export function createIdleGuard(setTimeoutOf: (request: Request, seconds: number) => void): IdleGuard {
  const fresh = new Set<Request>();
  const spared = new Set<Request>();
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  timer.unref();

  function look(): void {
    for (const request of fresh) {
      setTimeoutOf(request, NEVER);
      spared.add(request);
    }
    fresh.clear();
  }

  return {
    begin: (request) => void fresh.add(request),
    end(request) {
      if (fresh.delete(request)) return;
      if (spared.delete(request)) setTimeoutOf(request, IDLE_SECONDS);
    },
    stop: () => clearInterval(timer),
  };
}
