import { describe, expect, test } from "bun:test";
import { createReadLimiter } from "./read-limit.ts";

function limiterAt(startMs: number) {
  const clock = { nowMs: () => clock.ms, elapsedMs: () => clock.ms, ms: startMs };
  return { clock, limiter: createReadLimiter(clock) };
}

/** How many of these reads are admitted. */
function admitted(limiter: ReturnType<typeof createReadLimiter>, orgId: string, reads: number): number {
  return Array.from({ length: reads }, () => limiter.admitRead(orgId, 6)).filter(({ ok }) => ok).length;
}

describe("reads", () => {
  test("are limited to ten times the plan's calls in each minute", () => {
    const { clock, limiter } = limiterAt(600_000);
    expect(admitted(limiter, "a", 100)).toBe(60);
    clock.ms += 59_999;
    expect(admitted(limiter, "a", 1)).toBe(0);
    clock.ms += 1;
    expect(admitted(limiter, "a", 100)).toBe(60);
  });

  test("of one organization do not count for another", () => {
    const { limiter } = limiterAt(600_000);
    expect([admitted(limiter, "a", 100), admitted(limiter, "b", 100)]).toEqual([60, 60]);
  });

  test.each([
    [0, 60],
    [1, 60],
    [59_000, 1],
    [59_999, 1],
  ])("refused %p ms into the minute may be retried after %p s", (intoMs, seconds) => {
    const { limiter } = limiterAt(600_000 + intoMs);
    admitted(limiter, "a", 60);
    expect(limiter.admitRead("a", 6)).toEqual({
      ok: false,
      rate: { limit: 60, remaining: 0, resetSeconds: seconds },
    });
  });

  test("are not counted when they are refused, and a higher plan applies immediately", () => {
    const { limiter } = limiterAt(600_000);
    admitted(limiter, "a", 1_000);
    const { ok, rate } = limiter.admitRead("a", 7);
    expect([ok, rate.limit, rate.remaining]).toEqual([true, 70, 9]);
  });

  test("are admitted, never refused, for more organizations than are remembered", () => {
    const { limiter } = limiterAt(600_000);
    admitted(limiter, "a", 60);
    let refused = 0;
    for (let i = 0; i < 100_001; i++) if (!limiter.admitRead(`org-${i}`, 6).ok) refused++;
    expect([refused, admitted(limiter, "a", 1)]).toEqual([0, 1]);
  });
});
