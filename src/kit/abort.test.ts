import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { raceSignal, realSignal, Stopped, Stopper } from "./abort.ts";

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

describe("a stopper", () => {
  test("tells whoever listens, once and in order, and not who has left", () => {
    const stopper = new Stopper();
    const told: string[] = [];
    const first = () => told.push("first");
    const left = { handleEvent: () => told.push("left") };
    const third = { handleEvent: () => told.push("third") };
    for (const listener of [first, left, third]) stopper.addEventListener("abort", listener);
    stopper.removeEventListener("abort", left);
    const reason = new Stopped("deadline");
    stopper.abort(reason);
    stopper.abort(new Stopped("shutdown"));
    expect(told).toEqual(["first", "third"]);
    expect([stopper.aborted, stopper.reason]).toEqual([true, reason]);
    expect(() => stopper.throwIfAborted()).toThrow(reason);
  });

  test("a single listener can leave and another take its place", () => {
    const stopper = new Stopper();
    const told: string[] = [];
    const left = () => told.push("left");
    stopper.addEventListener("abort", left);
    stopper.removeEventListener("abort", left);
    stopper.addEventListener("abort", () => told.push("stays"));
    stopper.throwIfAborted();
    stopper.abort(new Stopped("deadline"));
    expect(told).toEqual(["stays"]);
  });

  test.each(["before", "after"])(
    "its real signal fires with the same reason, asked for %s the stop",
    (when) => {
      const stopper = new Stopper();
      const reason = new Stopped("client_gone");
      const early = when === "before" ? realSignal(stopper) : null;
      stopper.abort(reason);
      const real = early ?? realSignal(stopper);
      expect([real.aborted, real.reason]).toEqual([true, reason]);
      expect(realSignal(stopper)).toBe(real);
      expect(realSignal(real)).toBe(real);
    },
  );

  test("a race ends with its reason and leaves no listener behind", async () => {
    const stopper = new Stopper();
    expect(await raceSignal(Promise.resolve(7), stopper)).toBe(7);
    const race = raceSignal(never, stopper);
    stopper.abort(new Stopped("deadline"));
    await expect(race).rejects.toMatchObject({ reason: "deadline" });
  });
});
