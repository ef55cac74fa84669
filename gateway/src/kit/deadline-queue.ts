/**
 * Many waits of the same length share one timer. A runtime timer for each would cost more than most of the work that
 * they guard, and nearly all are cleared long before they are due.
 */
export type DeadlineQueue = {
  /**
   * Calls `expire` with `owner` after the queue's delay unless cleared before. One function can serve all owners, so
   * that no closure is allocated per wait.
   */
  add<Owner>(owner: Owner, expire: (owner: Owner) => void): Deadline;
};

export type Deadline = {
  /** May be called more than once, and after expiry. */
  clear(): void;
};

/** Linked in a ring whose head is `ring.next`: all delays are equal, so the oldest is always due first. */
class Entry implements Deadline {
  previous: Entry = this;
  next: Entry = this;

  constructor(
    readonly dueMs: number,
    readonly owner: unknown,
    readonly expire: (owner: never) => void,
  ) {}

  clear(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.previous = this;
    this.next = this;
  }
}

export function createDeadlineQueue(delayMs: number): DeadlineQueue {
  const ring = new Entry(Number.POSITIVE_INFINITY, null, () => {});
  let isArmed = false;

  function arm(waitMs: number): void {
    isArmed = true;
    // Whatever the deadline guards keeps the process alive if that is wanted.
    setTimeout(look, waitMs).unref();
  }

  function look(): void {
    isArmed = false;
    const nowMs = performance.now();
    // Each round removes one entry; entries added meanwhile are due later.
    while (ring.next !== ring && ring.next.dueMs <= nowMs) {
      const due = ring.next;
      due.clear();
      due.expire(due.owner as never);
    }
    if (ring.next !== ring && !isArmed) arm(Math.max(1, ring.next.dueMs - performance.now()));
  }

  return {
    add(owner, expire) {
      const entry = new Entry(performance.now() + delayMs, owner, expire);
      entry.previous = ring.previous;
      entry.next = ring;
      ring.previous.next = entry;
      ring.previous = entry;
      if (!isArmed) arm(delayMs);
      return entry;
    },
  };
}

/** One queue per delay; delays come from settings, so there are few. */
export function createDeadlineQueues(): (delayMs: number) => DeadlineQueue {
  const queues = new Map<number, DeadlineQueue>();
  return (delayMs) => {
    const known = queues.get(delayMs);
    if (known !== undefined) return known;
    const queue = createDeadlineQueue(delayMs);
    queues.set(delayMs, queue);
    return queue;
  };
}
