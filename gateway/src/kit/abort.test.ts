import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { raceSignal, realSignal, Stopped, Stopper } from "./abort.ts";

const never = new Promise<never>(() => {});

describe("raceSignal", () => {
  test("settles as the work does and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await raceSignal(Promise.resolve(7), signal)).toBe(7);
    await expect(raceSignal(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("rejects with the signal's reason although the work never ends", async () => {
    const controller = new AbortController();
    const race = raceSignal(never, controller.signal);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort(new Stopped("deadline"));
    await expect(race).rejects.toMatchObject({ name: "Stopped", reason: "deadline" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("rejects with the reason of a signal that has already fired", async () => {
    const stopped = new Stopped("shutdown");
    await expect(raceSignal(Promise.resolve(1), AbortSignal.abort(stopped))).rejects.toBe(stopped);
  });

  test("work that fails after the signal causes no unhandled rejection", async () => {
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

describe("Stopper", () => {
  test("notifies its listeners once, in order, and not those that were removed", () => {
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

  test("a listener can be added after the only other one was removed", () => {
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
    "its real signal, requested %s the stop, fires with the same reason",
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

  test("raceSignal rejects with its reason", async () => {
    const stopper = new Stopper();
    expect(await raceSignal(Promise.resolve(7), stopper)).toBe(7);
    const race = raceSignal(never, stopper);
    stopper.abort(new Stopped("deadline"));
    await expect(race).rejects.toMatchObject({ reason: "deadline" });
  });
});
