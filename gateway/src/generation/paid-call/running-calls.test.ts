import { describe, expect, test } from "bun:test";
import { createRunningCalls, type RunningCall } from "./running-calls.ts";

const LONG_MS = 60_000;

function stopOf(call: RunningCall): Promise<unknown> {
  return new Promise((resolve) => call.onStop(resolve));
}

describe("a running call", () => {
  test("is stopped at its deadline", async () => {
    const call = createRunningCalls().start(1);
    expect(await stopOf(call)).toMatchObject({ reason: "deadline" });
    call.end();
  });

  test("keeps the first reason for which it was stopped", () => {
    const calls = createRunningCalls();
    const call = calls.start(LONG_MS);
    call.stop("client_gone");
    calls.stopAll("shutdown");
    expect(call.stopped).toMatchObject({ reason: "client_gone" });
    call.end();
  });

  test("is not stopped after it has ended, neither by its deadline nor by anybody", async () => {
    const calls = createRunningCalls();
    const call = calls.start(1);
    call.end();
    call.stop("client_gone");
    calls.stopAll("lease_lost");
    await Bun.sleep(5);
    expect(call.stopped).toBeNull();
  });

  test("that is stopped leaves the others running, and still counts until it ends", () => {
    const calls = createRunningCalls();
    const [one, two] = [calls.start(LONG_MS), calls.start(LONG_MS)];
    one.stop("client_gone");
    expect([one.stopped?.reason, two.stopped, calls.count]).toEqual(["client_gone", null, 2]);
    one.end();
    two.end();
    expect(calls.count).toBe(0);
  });
});

describe("all running calls", () => {
  test("are stopped together, even if stopping one of them ends another", () => {
    const calls = createRunningCalls();
    const all = Array.from({ length: 5 }, () => calls.start(LONG_MS));
    all[0]?.onStop(() => all[3]?.end());
    calls.stopAll("shutdown");
    expect(all.filter(({ stopped }) => stopped !== null)).toHaveLength(4);
    for (const call of all) call.end();
  });

  test("resolve every idle() once the last one has ended; ending one twice counts once", async () => {
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

  test("notify each its own listener once, even if they are stopped twice", () => {
    const calls = createRunningCalls();
    const [one, two] = [calls.start(LONG_MS), calls.start(LONG_MS)];
    const told: string[] = [];
    one.onStop(({ reason }) => told.push(`one ${reason}`));
    two.onStop(({ reason }) => told.push(`two ${reason}`));
    one.stop("client_gone");
    one.stop("deadline");
    calls.stopAll("shutdown");
    calls.stopAll("lease_lost");
    expect(told).toEqual(["one client_gone", "two shutdown"]);
    one.end();
    two.end();
  });
});
