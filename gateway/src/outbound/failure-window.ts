/** Calls and failures of the last 30 seconds, counted in time slots, so that memory does not grow with the load. */
export type FailureWindow = {
  add(nowMs: number, isFailure: boolean): void;
  /** True if there were at least 20 calls and at least half of them failed. */
  isFailing(nowMs: number): boolean;
  clear(): void;
};

const SLOTS = 10;
const SLOT_MS = 3_000;
const MIN_CALLS = 20;
const MIN_FAILED_SHARE = 0.5;

export function createFailureWindow(): FailureWindow {
  const calls = new Uint32Array(SLOTS);
  const failures = new Uint32Array(SLOTS);
  let newest = Number.NEGATIVE_INFINITY;

  function moveTo(nowMs: number): number {
    const slot = Math.floor(nowMs / SLOT_MS);
    const first = Math.max(newest + 1, slot - SLOTS + 1);
    for (let passed = first; passed <= slot; passed++) {
      calls[index(passed)] = 0;
      failures[index(passed)] = 0;
    }
    newest = Math.max(newest, slot);
    return index(slot);
  }

  return {
    add(nowMs, isFailure) {
      const at = moveTo(nowMs);
      calls[at] = (calls[at] ?? 0) + 1;
      if (isFailure) failures[at] = (failures[at] ?? 0) + 1;
    },
    isFailing(nowMs) {
      moveTo(nowMs);
      const total = sum(calls);
      return total >= MIN_CALLS && sum(failures) >= total * MIN_FAILED_SHARE;
    },
    clear() {
      calls.fill(0);
      failures.fill(0);
    },
  };
}

function index(slot: number): number {
  return ((slot % SLOTS) + SLOTS) % SLOTS;
}

function sum(counts: Uint32Array): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
