/**
 * Lets a quiet connection end between requests but never while one is answered. Telling the server so
 * for each request would cost more than checking its key, so only those that last are told about: event
 * streams at once, since a model may think for longer than a connection may rest, and other requests when a
 * look every few seconds finds them, long before the server would cut them.
 */
type IdleGuard = {
  begin(request: Request): void;
  /** The reply is an event stream: its connection is spared until `end`. */
  spare(request: Request): void;
  end(request: Request): void;
  stop(): void;
};

export const IDLE_SECONDS = 75;
/** A request is spared at the latest two looks after it began, well within the idle time. */
const LOOK_INTERVAL_MS = 20_000;
const NEVER = 0;

export function createIdleGuard(setTimeoutOf: (request: Request, seconds: number) => void): IdleGuard {
  const fresh = new Set<Request>();
  // Weak, so that a stream whose end nobody reports costs its connection's pause and no memory.
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
