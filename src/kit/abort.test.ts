import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { raceSignal, Stopped } from "./abort.ts";

const never = new Promise<never>(() => {});

describe("raceSignal", () => {
  test("gives what the work gives and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await raceSignal(Promise.resolve(7), signal)).toBe(7);
    await expect(raceSignal(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends with the signal's reason, though the work never ends", async () => {
    const controller = new AbortController();
    const race = raceSignal(never, controller.signal);
    controller.abort(new Stopped("deadline"));
    await expect(race).rejects.toMatchObject({ name: "Stopped", reason: "deadline" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("does not begin where the signal has fired", async () => {
    const stopped = new Stopped("shutdown");
    await expect(raceSignal(Promise.resolve(1), AbortSignal.abort(stopped))).rejects.toBe(stopped);
  });

  test("work that fails after the signal is nobody's unhandled error", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      for (const isEarly of [true, false]) {
        const controller = new AbortController();
        const work = Promise.withResolvers<never>();
        if (isEarly) controller.abort(new Stopped("client_gone"));
        const race = raceSignal(work.promise, controller.signal);
        controller.abort(new Stopped("client_gone"));
        await expect(race).rejects.toBeInstanceOf(Stopped);
        work.reject(new Error("too late"));
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
