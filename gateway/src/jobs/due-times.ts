/** When jobs become due again; the worker checks at each of these times. */
type DueTimes = {
  add(atMs: number): void;
  /** Infinity if there is none. */
  earliestMs(): number;
  /** A claim that begins now finds every job that was due by then. */
  dropUntil(nowMs: number): void;
};

/**
 * Times closer together than this become one. So there are few, however many jobs wait: no pause of a job is longer
 * than half a minute.
 */
const TOGETHER_MS = 20;

export function createDueTimes(): DueTimes {
  const times = new Set<number>();
  return {
    // Rounded up: a check that comes too early would find nothing.
    add: (atMs) => void times.add(Math.ceil(atMs / TOGETHER_MS) * TOGETHER_MS),
    earliestMs: () => Math.min(...times),
    dropUntil(nowMs) {
      for (const atMs of times) if (atMs <= nowMs) times.delete(atMs);
    },
  };
}
