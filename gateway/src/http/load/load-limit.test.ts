import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLoadLimit, type LoadLimit, type LoopSample } from "./load-limit.ts";

const MOST = 20_000;

function create(maxRunningCalls = MOST): LoadLimit {
  return createLoadLimit({ maxRunningCalls, troubleMs: 150, worthMs: 500 });
}

function look(limit: LoadLimit, times: number, { lateMs, ...more }: Partial<LoopSample> = {}): number {
  const late = lateMs ?? 0;
  for (let at = 0; at < times; at++) {
    limit.observe({ lateMs: late, elapsedMs: 20 + late, ended: 0, running: 0, ...more });
  }
  return limit.calls;
}

describe("the limit of running calls", () => {
  test("is the configured maximum while the event loop is on time, whatever runs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ running: fc.nat(MOST), ended: fc.nat(1_000) })),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (looks, lateMs) => {
          const limit = create();
          for (const one of looks) look(limit, 1, { ...one, lateMs });
          expect(limit.calls).toBe(MOST);
        },
      ),
    );
  });

  test("ignores one long pause, such as garbage collection", () => {
    const limit = create();
    look(limit, 50);
    expect(look(limit, 1, { lateMs: 120 })).toBe(MOST);
    expect(look(limit, 10)).toBe(MOST);
  });

  test("falls to half a second's throughput while the event loop is late", () => {
    const limit = create();
    look(limit, 50);
    // 60 calls in 60 ms are a thousand per second.
    expect(look(limit, 100, { lateMs: 40, ended: 60, running: 3_000 })).toBeWithin(490, 511);
  });

  test("stays 256 above the number of calls that ran while the event loop was on time", () => {
    const limit = create();
    look(limit, 50, { running: 2_000 });
    expect(look(limit, 100, { lateMs: 40, ended: 1, running: 2_500 })).toBe(2_256);
    expect(look(create(), 100, { lateMs: 40 })).toBe(256);
  });

  test("does not rise again after a few samples that are on time by chance", () => {
    const limit = create();
    look(limit, 100, { lateMs: 40, running: 500 });
    for (let at = 0; at < 50; at++) {
      look(limit, 4, { running: 500 });
      expect(look(limit, 1, { lateMs: 40, running: 500 })).toBe(256);
    }
  });

  test("rises back to the maximum within seconds, but gradually", () => {
    const limit = create();
    look(limit, 100, { lateMs: 40 });
    expect(look(limit, 5)).toBeLessThan(300);
    expect(look(limit, 100)).toBe(MOST);
  });

  test("is never above the configured maximum, nor below 256 or that maximum", () => {
    const lookOf = fc.record({
      lateMs: fc.double({ min: 0, max: 500, noNaN: true }),
      elapsedMs: fc.double({ min: 1, max: 500, noNaN: true }),
      ended: fc.nat(10_000),
      running: fc.nat(MOST),
    });
    fc.assert(
      fc.property(fc.array(lookOf), fc.integer({ min: 1, max: MOST }), (looks, most) => {
        const limit = create(most);
        for (const one of looks) {
          limit.observe(one);
          expect(limit.calls).toBeWithin(Math.min(most, 256), most + 1);
        }
      }),
    );
  });
});
