import { describe, expect, test } from "bun:test";
import { createGate } from "./gate.ts";

describe("the gate", () => {
  test("admits up to its slots, then one for each that leaves, in order of arrival", async () => {
    const gate = createGate({ slots: 2, maxWaiting: 10, maxWaitMs: 5_000 });
    const inside: number[] = [];
    async function enter(id: number): Promise<() => void> {
      const leave = await gate.enter();
      inside.push(id);
      return leave;
    }
    const [leaveFirst] = await Promise.all([enter(1), enter(2)]);
    const third = enter(3);
    const fourth = enter(4);
    expect(gate.waiting).toBe(2);
    leaveFirst?.();
    leaveFirst?.();
    const leaveThird = await third;
    expect([inside, gate.waiting]).toEqual([[1, 2, 3], 1]);
    leaveThird();
    await fourth;
    expect(inside).toEqual([1, 2, 3, 4]);
  });

  test("refuses with 503 when its queue is full, and when the wait takes too long", async () => {
    const gate = createGate({ slots: 1, maxWaiting: 1, maxWaitMs: 10 });
    const leave = await gate.enter();
    const waiting = gate.enter();
    await expect(gate.enter()).rejects.toMatchObject({ code: "internal_error", status: 503 });
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    expect(gate.waiting).toBe(0);
    leave();
    (await gate.enter())();
  });

  test("limits one owner's slots and queue, and lets other owners pass", async () => {
    const ofOne = { slots: 2, maxWaiting: 1 };
    const gate = createGate({ slots: 3, maxWaiting: 3, maxWaitMs: 5_000, ofOne });
    const [leaveFirst] = await Promise.all([gate.enter("greedy"), gate.enter("greedy")]);
    const third = gate.enter("greedy");
    await expect(gate.enter("greedy")).rejects.toMatchObject({
      status: 503,
      options: { retryAfterSeconds: 1 },
    });
    const leaveOther = await gate.enter("other");
    expect(gate.waiting).toBe(1);
    // A place becomes free, but the first in the queue already has its maximum.
    const next = gate.enter("next");
    leaveOther();
    const leaveNext = await next;
    expect(gate.waiting).toBe(1);
    leaveFirst?.();
    (await third)();
    leaveNext();
    expect(gate.waiting).toBe(0);
  });

  test("lends slots that nobody else waits for, then gives the next free one to another owner", async () => {
    const ofOne = { slots: 1, maxWaiting: 5 };
    const gate = createGate({ slots: 2, maxWaiting: 5, maxWaitMs: 5_000, ofOne, lends: true });
    const [leaveFirst, leaveSecond] = await Promise.all([gate.enter("greedy"), gate.enter("greedy")]);
    const order: string[] = [];
    const come = (owner: string) => gate.enter(owner).then((leave) => [order.push(owner), leave] as const);
    const waiting = [come("greedy"), come("other"), come("greedy")];
    leaveFirst?.();
    await waiting[1];
    expect(order).toEqual(["other"]);
    leaveSecond?.();
    for (const at of [0, 1, 2]) (await waiting[at])?.[1]();
    expect(order).toEqual(["other", "greedy", "greedy"]);
    expect(gate.waiting).toBe(0);
  });
});
