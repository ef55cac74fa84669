import { describe, expect, test } from "bun:test";
import { silentLog } from "../../telemetry/index.ts";
import { createLoadGuard } from "./load-guard.ts";

/** Keeps the event loop busy, a little at a time, as too many calls do. */
async function keepBusy(forMs: number): Promise<void> {
  for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
    for (const pieceMs = performance.now() + 30; performance.now() < pieceMs; );
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function guardOf(input: Partial<Parameters<typeof createLoadGuard>[0]>) {
  return createLoadGuard({
    maxRunningCalls: 20_000,
    unanswered: () => 0,
    streaming: () => 0,
    log: silentLog,
    ...input,
  });
}

describe("the load guard", () => {
  test("admits calls below the configured maximum and refuses them at it", () => {
    let running = 0;
    const guard = guardOf({ maxRunningCalls: 3, unanswered: () => running });
    expect([guard.admits(), guard.isFull]).toEqual([true, false]);
    running = 3;
    expect([guard.admits(), guard.isFull]).toEqual([false, true]);
  });

  test("refuses calls while the event loop is overloaded, logs it once, and admits again when fewer run", async () => {
    let running = 500;
    const told: object[] = [];
    const log = { ...silentLog, warn: (_: string, fields = {}) => void told.push(fields) };
    const guard = guardOf({ unanswered: () => running, log });
    expect(guard.admits()).toBe(true);
    await keepBusy(600);
    expect([guard.isFull, guard.admits(), guard.admits()]).toEqual([true, false, false]);
    running = 10;
    expect(guard.admits()).toBe(true);
    const lowest = guard.limit;
    // Calls continue, because without any the guard stops measuring after a while. How fast the limit rises again is
    // tested with `load-limit.ts`.
    while (told.length === 0 || guard.limit <= lowest) {
      await Bun.sleep(20);
      guard.admits();
    }
    expect(told).toEqual([{ refused: 2, unanswered: 10, streaming: 0, limit: expect.any(Number) }]);
  });

  test("admits calls beside any number of open streams while the event loop is idle", () => {
    const guard = guardOf({ streaming: () => 19_999 });
    expect([guard.admits(), guard.isFull]).toEqual([true, false]);
  });

  test("admits many calls after the event loop was busy for only a moment", async () => {
    let unanswered = 0;
    const guard = guardOf({ unanswered: () => unanswered });
    guard.admits();
    await keepBusy(150);
    unanswered = 2_000;
    expect(guard.admits()).toBe(true);
  });
});
