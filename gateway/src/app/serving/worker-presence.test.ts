import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { type PresenceWatch, watchPresence } from "./worker-presence.ts";

let asked: number;
let hung: number;
let watch: PresenceWatch;
beforeEach(() => {
  jest.useFakeTimers();
  asked = 0;
  hung = 0;
  watch = watchPresence({ ask: () => void asked++, hangs: () => void hung++ });
});
afterEach(() => {
  watch.end();
  jest.useRealTimers();
});

test("a worker that has not answered for 30 seconds hangs and is asked no more", () => {
  jest.advanceTimersByTime(29_900);
  expect([asked, hung]).toEqual([10, 0]);
  jest.advanceTimersByTime(60_000);
  expect([asked, hung]).toEqual([10, 1]);
});

test("a worker that answers late does not hang, however often", () => {
  for (let stalls = 0; stalls < 5; stalls++) {
    jest.advanceTimersByTime(27_000);
    watch.answered();
  }
  expect(hung).toBe(0);
});

test("a worker that has ended is asked no more", () => {
  watch.end();
  jest.advanceTimersByTime(60_000);
  expect([asked, hung]).toEqual([1, 0]);
});
