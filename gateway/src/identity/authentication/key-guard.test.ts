import { describe, expect, test } from "bun:test";
import { createKeyGuard } from "./key-guard.ts";

function setUp(options: { delayMs?: number; maxWaiting?: number; maxNetworks?: number } = {}) {
  // Long after the start: a window is measured from its own beginning.
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs };
  const guard = createKeyGuard({ clock, delayMs: 20, ...options });
  return {
    guard,
    pass: (ms: number) => {
      nowMs += ms;
    },
    async fail(times: number, address = "192.0.2.1") {
      for (let i = 0; i < times; i++)
        expect(await guard.recordFailure(address)).toEqual({ outcome: "answer" });
    },
  };
}

describe("an address that sends wrong keys", () => {
  test("is answered immediately for the first 60 failures of a minute, then slowed", async () => {
    const { guard, fail } = setUp();
    await fail(60);
    expect(guard.waiting).toBe(0);
    const startedMs = performance.now();
    const slowed = guard.recordFailure("192.0.2.1");
    expect(guard.waiting).toBe(1);
    expect(await slowed).toEqual({ outcome: "answer" });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(15);
    expect(guard.waiting).toBe(0);
  });

  test("does not slow other addresses", async () => {
    const { guard, fail } = setUp();
    await fail(60);
    const slowed = guard.recordFailure("192.0.2.1");
    await fail(60, "192.0.2.2");
    expect(guard.waiting).toBe(1);
    await slowed;
  });

  test("stays slowed while others fail too", async () => {
    const { guard, fail } = setUp({ maxWaiting: 0 });
    await fail(60);
    await fail(60, "192.0.2.2");
    expect((await guard.recordFailure("192.0.2.1")).outcome).toBe("refuse");
  });

  test("is refused immediately when too many requests wait already", async () => {
    const { guard, fail, pass } = setUp({ maxWaiting: 2 });
    await fail(60);
    pass(10_000);
    const waiting = [guard.recordFailure("192.0.2.1"), guard.recordFailure("192.0.2.1")];
    expect(await guard.recordFailure("192.0.2.1")).toEqual({ outcome: "refuse", retryAfterSeconds: 50 });
    await Promise.all(waiting);
  });

  test.each([
    [0, 60],
    [10_999, 50],
    [59_001, 1],
    [59_999, 1],
  ])(
    "%p ms into the minute is refused and may retry after %p s, when the minute is over",
    async (intoMs, seconds) => {
      const { guard, fail, pass } = setUp({ maxWaiting: 0 });
      await fail(60);
      pass(intoMs);
      expect(await guard.recordFailure("192.0.2.1")).toEqual({
        outcome: "refuse",
        retryAfterSeconds: seconds,
      });
    },
  );

  test("starts again after a minute, not sooner, and is slowed again", async () => {
    const { guard, fail, pass } = setUp({ maxWaiting: 0 });
    await fail(60);
    pass(59_999);
    expect((await guard.recordFailure("192.0.2.1")).outcome).toBe("refuse");
    pass(1);
    await fail(60);
    expect((await guard.recordFailure("192.0.2.1")).outcome).toBe("refuse");
  });

  test("shares its failures with its whole IPv6 /64 network", async () => {
    const { guard } = setUp({ maxWaiting: 0 });
    for (let i = 0; i < 60; i++) await guard.recordFailure(`2001:db8:1:2::${i.toString(16)}`);
    expect((await guard.recordFailure("2001:db8:1:2:ffff::1")).outcome).toBe("refuse");
    expect((await guard.recordFailure("2001:db8:1:3::1")).outcome).toBe("answer");
  });

  test("is forgotten when too many newer networks fail, so that memory stays bounded", async () => {
    const { guard } = setUp({ maxNetworks: 10, maxWaiting: 0 });
    for (let i = 0; i < 60; i++) await guard.recordFailure("198.51.100.1");
    for (let i = 0; i < 9; i++) await guard.recordFailure(`203.0.113.${i}`);
    expect((await guard.recordFailure("198.51.100.1")).outcome).toBe("refuse");
    await guard.recordFailure("203.0.113.9");
    // Its window was the oldest and was evicted: the price of the bound.
    expect((await guard.recordFailure("198.51.100.1")).outcome).toBe("answer");
  });

  test("with a new window is forgotten only after addresses with older ones", async () => {
    const { guard, fail, pass } = setUp({ maxNetworks: 3, maxWaiting: 0 });
    await fail(1);
    pass(30_000);
    await fail(1, "203.0.113.1");
    pass(30_000);
    // Its first window is over; the one that begins here is younger than the other address's.
    await fail(60);
    await fail(1, "203.0.113.2");
    await fail(1, "203.0.113.3");
    expect((await guard.recordFailure("192.0.2.1")).outcome).toBe("refuse");
  });
});
