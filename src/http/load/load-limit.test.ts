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

describe("the limit of calls", () => {
  test("is out of the way while the loop is in time, whatever runs", () => {
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

  test("does not mind one long pause, such as garbage makes", () => {
    const limit = create();
    look(limit, 50);
    expect(look(limit, 1, { lateMs: 120 })).toBe(MOST);
    expect(look(limit, 10)).toBe(MOST);
  });

  test("falls, when the loop never rests, to half a second of what it gets done", () => {
    const limit = create();
    look(limit, 50);
    // 60 calls in 60 ms are a thousand per second.
    expect(look(limit, 100, { lateMs: 40, ended: 60, running: 3_000 })).toBeWithin(490, 511);
  });

  test("leaves room for some beside those that ran while the loop still rested", () => {
    const limit = create();
    look(limit, 50, { running: 2_000 });
    expect(look(limit, 100, { lateMs: 40, ended: 1, running: 2_500 })).toBe(2_256);
    expect(look(create(), 100, { lateMs: 40 })).toBe(256);
  });

  test("is not given back by a look that was in time by chance", () => {
    const limit = create();
    look(limit, 100, { lateMs: 40, running: 500 });
    for (let at = 0; at < 50; at++) {
      look(limit, 4, { running: 500 });
      expect(look(limit, 1, { lateMs: 40, running: 500 })).toBe(256);
    }
  });

  test("is given back within seconds, and not all at once", () => {
    const limit = create();
    look(limit, 100, { lateMs: 40 });
    expect(look(limit, 5)).toBeLessThan(300);
    expect(look(limit, 100)).toBe(MOST);
  });

  test("is never above what was set, nor below what it must let in", () => {
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
