import { afterEach, describe, expect, jest, test } from "bun:test";
import { createIdleGuard, IDLE_SECONDS } from "./idle-guard.ts";

afterEach(() => {
  jest.useRealTimers();
});

describe("the idle guard", () => {
  test("exempts a long request from the idle timeout until it ends, and leaves short requests alone", () => {
    jest.useFakeTimers();
    const told: [string, number][] = [];
    const guard = createIdleGuard(
      (request, seconds) => void told.push([new URL(request.url).pathname, seconds]),
    );
    const short = new Request("http://edge.test/short");
    const long = new Request("http://edge.test/long");
    guard.begin(short);
    guard.end(short);
    guard.begin(long);
    // The server would cut it after the idle time, so it must be exempted before that.
    jest.advanceTimersByTime((IDLE_SECONDS - 10) * 1000);
    expect(told).toEqual([["/long", 0]]);
    guard.end(long);
    expect(told).toEqual([
      ["/long", 0],
      ["/long", IDLE_SECONDS],
    ]);
    guard.stop();
  });

  test("exempts an event stream immediately, and restores the timeout once, at its end", () => {
    const told: number[] = [];
    const guard = createIdleGuard((_, seconds) => void told.push(seconds));
    const stream = new Request("http://edge.test/stream");
    guard.begin(stream);
    guard.spare(stream);
    expect(told).toEqual([0]);
    guard.end(stream);
    guard.end(stream);
    expect(told).toEqual([0, IDLE_SECONDS]);
    guard.stop();
  });
});
