import { AppError } from "../kit/index.ts";

export type Gate = {
  /** Resolves to the function that leaves; rejects when too many wait already or the wait is too long. */
  enter(): Promise<() => void>;
  readonly waiting: number;
};

export type GateOptions = {
  readonly slots: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
};

/** Lets a few in at a time, in order of arrival; the queue and the wait are bounded. */
export function createGate({ slots, maxWaiting, maxWaitMs }: GateOptions): Gate {
  let free = slots;
  const queue = new Set<() => void>();

  function leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = queue.values().next().value;
      if (next) next();
      else free++;
    };
  }

  function wait(): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(admit);
        reject(full());
      }, maxWaitMs);
      const admit = () => {
        clearTimeout(timer);
        queue.delete(admit);
        resolve(leaveOnce());
      };
      queue.add(admit);
    });
  }

  return {
    async enter() {
      if (free > 0) {
        free--;
        return leaveOnce();
      }
      if (queue.size >= maxWaiting) throw full();
      return wait();
    },
    get waiting() {
      return queue.size;
    },
  };
}

function full(): AppError {
  return new AppError("internal_error", "Too many large requests at once. Try again in a moment.", {
    status: 503,
    retryAfterSeconds: 2,
  });
}
