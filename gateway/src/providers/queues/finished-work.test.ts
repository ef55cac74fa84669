import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { ProviderFailure } from "../../contract/index.ts";
import { EXCESS } from "../../outbound/index.ts";
import { failureFrom, never } from "../../outbound/testing.ts";
import { createEmbeddedMedia } from "../media/embedded-media.ts";
import { callContext } from "../media/media-testing.ts";
import { createFinishedWork } from "./finished-work.ts";
import type { WorkState } from "./remote-work.ts";

const DOWN = new ProviderFailure("unavailable", "down", { status: 503 });
const BUSY = new ProviderFailure("rate_limited", "busy", { retryAfterSeconds: 20 });
const RUNNING: WorkState = { state: "running" };
const DONE: WorkState = { state: "done", output: "https://cdn.test/p.png" };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Work at a vendor whose polls return what `said` gives for the seconds since the order. */
function ordered(said: (second: number) => WorkState | ProviderFailure, signal = never()) {
  const startedMs = performance.now();
  const seconds = () => Math.floor((performance.now() - startedMs) / 1_000);
  const looks: number[] = [];
  const finish = createFinishedWork({
    work: {
      embedded: createEmbeddedMedia(),
      start: async () => "order-1",
      poll: async () => {
        looks.push(seconds());
        const now = said(seconds());
        if (now instanceof ProviderFailure) throw now;
        return now;
      },
    },
    what: "picture",
    fields: ["image"],
    secrets: [],
    longestWaitMs: 1_000,
  });
  return { looks, seconds, work: finish("m", {}, callContext(signal)) };
}

/** Lets the waits pass until the work has ended. */
async function afterWaits<End>(work: Promise<End>): Promise<End> {
  let isOver = false;
  void work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isOver) {
    jest.advanceTimersByTime(250);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
  return work;
}

test("work survives polls that fail for 55 seconds", async () => {
  const { work } = ordered((second) => (second < 55 ? DOWN : DONE));
  expect(await afterWaits(work)).toBe("https://cdn.test/p.png");
});

test("work fails after a minute of nothing but failed polls", async () => {
  const { work, seconds } = ordered(() => DOWN);
  const failure = await failureFrom(afterWaits(work));
  expect(failure).toBe(DOWN);
  // The order was taken: it must not be given twice.
  expect(failure.mayBeMade).toBe(true);
  expect(seconds()).toBeGreaterThanOrEqual(60);
  expect(seconds()).toBeLessThan(63);
});

test("a poll that does not fail restarts that minute", async () => {
  const { work } = ordered((second) => {
    if (second >= 40 && second < 43) return RUNNING;
    return second < 90 ? DOWN : DONE;
  });
  expect(await afterWaits(work)).toBe("https://cdn.test/p.png");
});

test("a vendor that sends Retry-After is not polled before it is over", async () => {
  const { work, looks } = ordered((second) => (second < 3 ? RUNNING : second < 25 ? BUSY : DONE));
  expect(await afterWaits(work)).toBe("https://cdn.test/p.png");
  const firstBusy = looks.findIndex((second) => second >= 3);
  const [busyAt = 0, ...later] = looks.slice(firstBusy);
  expect(later[0]).toBeGreaterThanOrEqual(busyAt + 20);
  expect(later).toHaveLength(2);
});

test("polls return to their usual rate once the vendor responds again", async () => {
  const { work, looks } = ordered((second) => (second < 1 ? BUSY : second < 30 ? RUNNING : DONE));
  await afterWaits(work);
  expect(looks.length).toBeGreaterThan(8);
});

test("work that takes 890 seconds is waited for", async () => {
  const { work } = ordered((second) => (second < 890 ? RUNNING : DONE));
  expect(await afterWaits(work)).toBe("https://cdn.test/p.png");
});

test.each([
  ["is refused", new ProviderFailure("unauthorized", "no such order")],
  ["exceeds our size limits", new ProviderFailure("unavailable", "too much", EXCESS)],
])("a poll that %s ends the work immediately", async (_name, failure) => {
  const { work, looks } = ordered(() => failure);
  expect(await failureFrom(afterWaits(work))).toBe(failure);
  expect(looks).toHaveLength(1);
});

test("an abort ends the wait immediately, whatever Retry-After the vendor sent", async () => {
  const controller = new AbortController();
  const { work, seconds } = ordered(() => {
    queueMicrotask(() => controller.abort(new Error("gone")));
    return BUSY;
  }, controller.signal);
  await expect(afterWaits(work)).rejects.toThrow("gone");
  expect(seconds()).toBeLessThan(2);
});
