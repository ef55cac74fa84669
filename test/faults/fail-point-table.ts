import { afterEach, describe, expect, test } from "bun:test";
import { armFailpoint, type FailPoint, FailpointError } from "../../gateway/src/kit/index.ts";
import type { TestGateway, TestOrganization } from "../harness.ts";
import type { Seen } from "./chat-client.ts";
import { creditsOf, expectQuiet, requestRow } from "./ending.ts";
import type { FaultProxy } from "./fault-proxy.ts";

type FailPointTable = {
  readonly form: string;
  /** Every fail point that the call passes, in order. */
  readonly points: readonly FailPoint[];
  /** Fail points within a timeout of the call itself. The others wait for the database, which has its own timeouts. */
  readonly bounded: readonly FailPoint[];
  /** Creates a new organization for each call, before the fail point is armed. */
  found(): Promise<void>;
  call(): Promise<Seen>;
  /** Checks that what the client was told agrees with the ledger. */
  expectHonest(told: Seen): Promise<void>;
  /** The link to the database, to be cut at each fail point. */
  readonly link?: () => FaultProxy;
};

/** Shorter than the time for which a settlement is retried. */
const DATABASE_AWAY_MS = 60;

/** One test per fail point and action: it throws, it is late, the database goes away, it hangs. */
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

  /** Acts only the first time; a fault that never ends is left to other tests. */
  function armOnce(point: FailPoint, action: () => void | Promise<void>): () => number {
    let passed = 0;
    disarm.push(armFailpoint(point, () => (++passed === 1 ? action() : undefined)));
    return () => passed;
  }

  describe(form, () => {
    afterEach(() => {
      for (const one of disarm.splice(0)) one();
    });

    test.each(points)(
      "throws at %s: no hold is left, and the reply to the client agrees with the charge",
      async (point) => {
        await found();
        const passed = armOnce(point, () => {
          throw new FailpointError(point);
        });
        const told = await call();
        expect(passed()).toBeGreaterThan(0);
        await expectHonest(told);
      },
    );

    test.each(points)("is delayed at %s: the call succeeds", async (point) => {
      await found();
      const passed = armOnce(point, () => Bun.sleep(20));
      const told = await call();
      expect([told.ended, passed() > 0]).toEqual(["done", true]);
      await expectHonest(told);
    });

    test.each(link === undefined ? [] : points)(
      "loses the database at %s: the reply agrees with the charge, and no hold is left",
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
      "hangs at %s: the client is answered in time, the reply agrees with the charge, and no hold is left",
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

/**
 * Broken connections are discovered by whoever uses them next; here that is the setup, so that no test fails for it.
 */
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
 * A completed call is charged; a failed one is not, unless its error says that the outcome is unknown; no hold is left.
 * Returns the charge, for further comparisons.
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
