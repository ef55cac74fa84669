import { afterEach, describe, expect, test } from "bun:test";
import { openVideoBench, type VideoBench } from "../../../test/video-bench.ts";
import { verifyLedger } from "../ledger/index.ts";
import { failureOf } from "../outbound/failures/failure-of.ts";

const CREDITS = 100;

let bench: VideoBench;
let orgId: string;
/** A new bench for each test, because the breaker remembers which targets were down. */
async function open(answer: { readonly status: number; readonly body?: string }): Promise<void> {
  bench = await openVideoBench();
  orgId = await bench.found(CREDITS);
  bench.acme.begins = [failureOf({ body: "", ...answer })];
}
afterEach(async () => {
  expect((await verifyLedger(bench.db)).faults).toEqual([]);
  await bench.close();
});

const submitted = async () => (await bench.video.submit(bench.callOf(orgId))).requestId;
const asked = () => [bench.acme.begun.length, bench.other.begun.length];

describe.each([503, 529, 405, 410, 429, 404])(
  "a video provider that answers a submission with %i",
  (status) => {
    test("has not accepted it: the next one is tried", async () => {
      await open({ status });
      const ended = await bench.finish(orgId, await submitted());
      expect([ended.status, await bench.balance(orgId)]).toEqual(["complete", "0+0 80+0"]);
      expect(asked()).toEqual([1, 1]);
    });
  },
);

test.each([503, 429, 401, 500])(
  "a refusal (%i) by what is made for tests is asked for, and ends the job",
  async (status) => {
    bench = await openVideoBench({ knowsOurId: true, isTest: (target) => target.startsWith("acme/") });
    orgId = await bench.found(CREDITS);
    bench.acme.begins = [failureOf({ status, body: "" })];
    const requestId = await submitted();
    await bench.pass();
    expect((await bench.view(orgId, requestId)).providerStatus).toBe("failed:provider_error");
    expect(asked()).toEqual([1, 0]);
  },
);

test("a video job that no provider accepts now is tried again later", async () => {
  await open({ status: 503 });
  bench.other.begins = bench.acme.begins;
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

test("a video job that no provider ever accepts fails and costs nothing", async () => {
  await open({ status: 503 });
  bench.other.begins = bench.acme.begins;
  const ended = await bench.finish(orgId, await submitted());
  expect([ended.providerStatus, await bench.balance(orgId)]).toEqual([
    "failed:provider_error",
    `0+0 ${CREDITS}+0`,
  ]);
});

test("a video job that every provider refuses for our key fails with that reason", async () => {
  await open({ status: 401 });
  bench.other.begins = bench.acme.begins;
  const { requestId } = await bench.finish(orgId, await submitted());
  const { rows } = await bench.db.pool.query("select reason from requests where request_id = $1", [
    requestId,
  ]);
  expect(rows).toEqual([{ reason: "provider_refused_our_key" }]);
});

const BROKEN_BEHIND =
  "upstream connect error or disconnect/reset before headers. reset reason: connection termination";

describe.each([
  { status: 500 },
  { status: 502 },
  { status: 504 },
  { status: 499 },
  { status: 409 },
  {
    status: 503,
    body: '{"error":{"code":503,"message":"Deadline expired before operation could complete.","status":"UNAVAILABLE"}}',
  },
  { status: 503, body: BROKEN_BEHIND },
  { status: 503, body: "<html><head><title>503 first byte timeout</title></head></html>" },
])("a video provider that answers a submission with %o", (answer) => {
  test("may have accepted it: nobody else is tried, and the job fails for free", async () => {
    await open(answer);
    const ended = await bench.finish(orgId, await submitted());
    expect([ended.providerStatus, await bench.balance(orgId)]).toEqual([
      "failed:provider_error",
      `0+0 ${CREDITS}+0`,
    ]);
    expect(asked()).toEqual([1, 0]);
  });
});

test.each([400, 413, 422])(
  "a video provider that answers a submission with %i ends the job",
  async (status) => {
    await open({ status });
    expect((await bench.finish(orgId, await submitted())).providerStatus).toBe("failed:rejected");
    expect(asked()).toEqual([1, 0]);
  },
);
