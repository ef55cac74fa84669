import { afterEach, describe, expect, test } from "bun:test";
import { armFailpoint, type FailPoint, FailpointError } from "../../src/kit/index.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";
import type { Seen } from "./chat-client.ts";
import { creditsOf, expectQuiet, requestRow } from "./ending.ts";
import type { FaultProxy } from "./fault-proxy.ts";

type FailPointTable = {
  readonly form: string;
  /** Every point that the call passes, in order. */
  readonly points: readonly FailPoint[];
  /** Those that a limit of the call itself stands around; the others wait for the database, which has its own. */
  readonly bounded: readonly FailPoint[];
  /** An organization of its own for each call, before the point is armed. */
  found(): Promise<void>;
  call(): Promise<Seen>;
  /** What the client was told and what the ledger holds agree. */
  expectHonest(told: Seen): Promise<void>;
  /** The way to the database, where it is to be lost at each point. */
  readonly link?: () => FaultProxy;
};

/** Shorter than any settlement is tried for. */
const DATABASE_AWAY_MS = 60;

/** One test per point and action: it throws, it is late, the database goes away, it hangs. */
export function describeFailPoints({
  form,
  points,
  bounded,
  found,
  call,
  expectHonest,
  link,
}: FailPointTable): void {
  const disarm: (() => void)[] = [];

  /** Acts the first time only: a fault that never ends is another test's. */
  function armOnce(point: FailPoint, action: () => void | Promise<void>): () => number {
    let passed = 0;
    disarm.push(armFailpoint(point, () => (++passed === 1 ? action() : undefined)));
    return () => passed;
  }

  describe(form, () => {
    afterEach(() => {
      for (const one of disarm.splice(0)) one();
    });

    test.each(points)("throws at %s: no hold is left, and the client is told the truth", async (point) => {
      await found();
      const passed = armOnce(point, () => {
        throw new FailpointError(point);
      });
      const told = await call();
      expect(passed()).toBeGreaterThan(0);
      await expectHonest(told);
    });

    test.each(points)("is late at %s: the call ends well", async (point) => {
      await found();
      const passed = armOnce(point, () => Bun.sleep(20));
      const told = await call();
      expect([told.ended, passed() > 0]).toEqual(["done", true]);
      await expectHonest(told);
    });

    test.each(link === undefined ? [] : points)(
      "loses the database at %s: the client is told the truth, and the ledger comes right",
      async (point) => {
        await found();
        const mended = Promise.withResolvers<void>();
        const passed = armOnce(point, () => {
          link?.().set({ kind: "reset" });
          setTimeout(() => {
            link?.().set({ kind: "pass" });
            mended.resolve();
          }, DATABASE_AWAY_MS);
        });
        const told = await call();
        expect(passed()).toBeGreaterThan(0);
        await expectHonest(told);
        await mended.promise;
        await untilFounded(found);
      },
    );

    test.each(bounded)(
      "hangs at %s: the client is answered within its bounds, and the ledger comes right",
      async (point) => {
        await found();
        const hanging = Promise.withResolvers<void>();
        const passed = armOnce(point, () => hanging.promise);
        disarm.push(hanging.resolve);
        const told = await call();
        expect(passed()).toBeGreaterThan(0);
        hanging.resolve();
        await expectHonest(told);
      },
      3_000,
    );
  });
}

/** Connections that broke are found out by whoever uses them next; that is no other test's business. */
async function untilFounded(found: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await found();
    } catch (error) {
      if (tries > 200) throw error;
      await Bun.sleep(20);
    }
  }
}

/**
 * Done is charged, an error is not, or says that it cannot know; and no hold is left. Answers the charge, for what
 * else must agree with it.
 */
export async function expectAgreement(
  { services, database }: TestGateway,
  { own, credits, told }: { own: TestOrganization; credits: number; told: Seen },
): Promise<number> {
  await services.running.idle();
  const { db } = database;
  for (let looks = 0; (await creditsOf(db, own.id)).held > 0; looks++) {
    expect(looks, "the hold is released").toBeLessThan(1_000);
    await Bun.sleep(10);
  }
  const row = await requestRow(db, told.requestId);
  const charged = row?.charged ?? 0;
  await expectQuiet(db, own.id, credits - charged);
  if (told.ended === "done") {
    expect([row?.status, charged]).toEqual(["succeeded", Number(told.body["credits_charged"])]);
    return charged;
  }
  const { message } = told.body["error"] as { message: string };
  if (!message.includes("outcome unknown"))
    expect([message.includes("Nothing was charged"), charged]).toEqual([true, 0]);
  return charged;
}
