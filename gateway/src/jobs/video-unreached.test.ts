import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openVideoBench, type VideoBench } from "../../../test/video-bench.ts";
import { verifyLedger } from "../ledger/index.ts";
import { connectionFailure, timeoutFailure, unsentTimeout } from "../outbound/failures/network-failure.ts";
import { UnsentFailure } from "../outbound/index.ts";
import { createVideoStore } from "./video-store.ts";

const unreached = new UnsentFailure("unavailable", "nobody there");
const CREDITS = 100;

let bench: VideoBench;
let orgId: string;
/** A new bench for each test, because the breaker remembers which targets could not be reached. */
async function open(knowsOurId: boolean): Promise<void> {
  bench = await openVideoBench({ knowsOurId });
  orgId = await bench.found(CREDITS);
  bench.acme.begins = [unreached];
}
afterEach(async () => {
  expect((await verifyLedger(bench.db)).faults).toEqual([]);
  await bench.close();
});

const submitted = async () => (await bench.video.submit(bench.callOf(orgId))).requestId;
const asked = () => [bench.acme.begun.length, bench.other.begun.length];

describe.each([false, true])("a video provider that was never reached (knows our id: %p)", (knowsOurId) => {
  beforeEach(() => open(knowsOurId));

  test("does not have the job: the next one is tried", async () => {
    const ended = await bench.finish(orgId, await submitted());
    expect([ended.status, await bench.balance(orgId)]).toEqual(["complete", "0+0 80+0"]);
    expect(asked()).toEqual([1, 1]);
  });

  test("does not have the job after a connect timeout: the next one is tried", async () => {
    bench.acme.begins = [
      unsentTimeout(timeoutFailure("no connection for 5000 ms", "acme.test", { reason: "timeout_connect" })),
    ];
    expect((await bench.finish(orgId, await submitted())).status).toBe("complete");
    expect(asked()).toEqual([1, 1]);
  });

  test("is tried again later if the others were not reached either", async () => {
    bench.other.begins = [unreached];
    const requestId = await submitted();
    await bench.pass();
    expect(await bench.view(orgId, requestId)).toMatchObject({
      status: "processing",
      providerStatus: "queued",
    });
    bench.acme.begins = [];
    expect((await bench.finish(orgId, requestId)).status).toBe("complete");
    expect(asked()).toEqual([2, 1]);
  });

  test("fails the job, which costs nothing, if nobody is ever reached", async () => {
    bench.other.begins = [unreached];
    const ended = await bench.finish(orgId, await submitted());
    expect([ended.providerStatus, await bench.balance(orgId)]).toEqual([
      "failed:provider_error",
      `0+0 ${CREDITS}+0`,
    ]);
  });
});

test("a provider that may already have the job is the only one tried, although it is not reached now", async () => {
  await open(true);
  const requestId = await submitted();
  const [job] = await bench.takeUp();
  if (!job) throw new Error("nothing to take up");
  await createVideoStore(bench.db).saveIntent(job, "acme/m");
  bench.acme.begins = [unreached, unreached, null];
  await bench.pass(31_000);
  expect((await bench.finish(orgId, requestId)).status).toBe("complete");
  expect(asked()).toEqual([3, 0]);
});

test("a provider that resets the connection may have the job: nobody else is tried", async () => {
  await open(false);
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
  bench.acme.begins = [connectionFailure(reset, { where: "acme.test", elapsedMs: 1 })];
  expect((await bench.finish(orgId, await submitted())).providerStatus).toBe("failed:provider_error");
  expect(asked()).toEqual([1, 0]);
});
