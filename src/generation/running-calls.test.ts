import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { createRunningCalls } from "./running-calls.ts";

const LONG_MS = 60_000;

function fired(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));
}

describe("a running call", () => {
  test("is stopped at its deadline", async () => {
    const call = createRunningCalls().start(1);
    expect(await fired(call.signal)).toMatchObject({ reason: "deadline" });
    call.end();
  });

  test("keeps the first reason for which it was stopped", () => {
    const calls = createRunningCalls();
    const call = calls.start(LONG_MS);
    call.stop("client_gone");
    calls.stopAll("shutdown");
    expect(call.signal.reason).toMatchObject({ reason: "client_gone" });
    call.end();
  });

  test("is not stopped once it has ended, by its deadline or by anybody", async () => {
    const calls = createRunningCalls();
    const call = calls.start(1);
    call.end();
    calls.stopAll("lease_lost");
    await Bun.sleep(5);
    expect(call.signal.aborted).toBe(false);
  });

  test("stopped alone leaves the others running, and still counts until it ends", () => {
    const calls = createRunningCalls();
    const [one, two] = [calls.start(LONG_MS), calls.start(LONG_MS)];
    one.stop("client_gone");
    expect([one.signal.aborted, two.signal.aborted, calls.count]).toEqual([true, false, 2]);
    one.end();
    two.end();
    expect(calls.count).toBe(0);
  });
});

describe("all running calls", () => {
  test("are stopped together, also where one of them ends the others", () => {
    const calls = createRunningCalls();
    const all = Array.from({ length: 5 }, () => calls.start(LONG_MS));
    all[0]?.signal.addEventListener("abort", () => all[3]?.end());
    calls.stopAll("shutdown");
    expect(all.filter(({ signal }) => signal.aborted)).toHaveLength(4);
    for (const call of all) call.end();
  });

  test("are waited for: everybody who waits is told when the last one ends, once it ends twice or not", async () => {
    const calls = createRunningCalls();
    await calls.idle();
    const [one, two] = [calls.start(LONG_MS), calls.start(LONG_MS)];
    let told = 0;
    const waiting = [calls.idle(), calls.idle()].map((idle) => idle.then(() => told++));
    one.end();
    one.end();
    await Promise.resolve();
    expect([calls.count, told]).toEqual([1, 0]);
    two.end();
    await Promise.all(waiting);
    expect(told).toBe(2);
  });

  test("leave no listener on a signal that nobody else listens to", () => {
    const call = createRunningCalls().start(LONG_MS);
    call.end();
    expect(getEventListeners(call.signal, "abort")).toEqual([]);
  });
});
