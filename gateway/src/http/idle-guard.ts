/**
 * Lets an idle connection time out between requests but never while a request is being answered. Setting the timeout
 * for each request would cost more than checking its key, so it is set only for those that last: for event streams at
 * once, because a model may think for longer than the idle timeout, and for other requests when a periodic check finds
 * them, long before the server would close them.
 */
type IdleGuard = {
  begin(request: Request): void;
  /** The reply is an event stream: its connection does not time out until `end`. */
  spare(request: Request): void;
  end(request: Request): void;
  stop(): void;
};

export const IDLE_SECONDS = 75;
/** A request is exempted at the latest two intervals after it began, well within the idle time. */
const LOOK_INTERVAL_MS = 20_000;
const NEVER = 0;

export function createIdleGuard(setTimeoutOf: (request: Request, seconds: number) => void): IdleGuard {
  const fresh = new Set<Request>();
  // Weak: a stream whose end is never reported costs its connection the idle timeout but no memory.
  const spared = new WeakSet<Request>();
  const timer = setInterval(look, LOOK_INTERVAL_MS);
  timer.unref();

  function spare(request: Request): void {
    fresh.delete(request);
    spared.add(request);
    setTimeoutOf(request, NEVER);
  }

  function look(): void {
    for (const request of fresh) spare(request);
  }

  return {
    begin: (request) => void fresh.add(request),
    spare,
    end(request) {
      if (!fresh.delete(request) && spared.delete(request)) setTimeoutOf(request, IDLE_SECONDS);
    },
    stop: () => clearInterval(timer),
  };
}
