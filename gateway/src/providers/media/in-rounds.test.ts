import { expect, test } from "bun:test";
import fc from "fast-check";
import { ProviderFailure } from "../../contract/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import { makeInRounds } from "./in-rounds.ts";

const never = () => new AbortController().signal;

test("n results are made, by at most four calls at a time, each for at most perCall of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 12 }), async (n, perCall) => {
      let running = 0;
      let most = 0;
      const made = await makeInRounds({
        n,
        perCall,
        signal: never(),
        async make(wanted) {
          expect(wanted).toBeLessThanOrEqual(perCall);
          most = Math.max(most, ++running);
          await Promise.resolve();
          running--;
          return Array.from({ length: wanted }, () => "made");
        },
      });
      expect(made).toHaveLength(n);
      expect(most).toBeLessThanOrEqual(4);
    }),
  );
});

test("a failed call ends the work after its round, and fails it only if nothing was made", async () => {
  let calls = 0;
  const failing = (ok: (call: number) => boolean) =>
    makeInRounds({
      n: 12,
      perCall: 1,
      signal: never(),
      async make() {
        calls += 1;
        if (!ok(calls)) throw new Error(`call ${calls}`);
        return [calls];
      },
    });
  expect(await failing((call) => call !== 3)).toEqual([1, 2, 4]);
  expect(calls).toBe(4);
  calls = 0;
  await expect(failing(() => false)).rejects.toThrow("call 1");
});

test.each([
  [1, false],
  [2, true],
])("the failure of %d calls says whether another may have made something", async (n, mayBeMade) => {
  const make = async () => {
    throw new ProviderFailure("unavailable", "no", { status: 503 });
  };
  const failure = await failureFrom(makeInRounds({ n, perCall: 1, signal: never(), make }));
  expect(failure.mayBeMade === true).toBe(mayBeMade);
});

test("an aborted caller gets its own abort reason, even if something was made", async () => {
  const controller = new AbortController();
  const reason = new Error("left");
  const work = makeInRounds({
    n: 2,
    perCall: 1,
    signal: controller.signal,
    async make() {
      controller.abort(reason);
      return ["made"];
    },
  });
  expect(await work.catch((error) => error)).toBe(reason);
});
