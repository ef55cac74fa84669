import { afterAll, beforeEach, expect, test } from "bun:test";
import { videoState } from "../../../test/scripted-video.ts";
import { openVideoBench } from "../../../test/video-bench.ts";
import { ProviderFailure, WithheldResult } from "../contract/index.ts";
import { AbsentFile } from "../outbound/index.ts";

const bench = await openVideoBench();
const { acme, video, callOf, finish } = bench;
afterAll(() => bench.close());

const CREDITS = 100;
const down = new ProviderFailure("unavailable", "down");
const withheld = new WithheldResult(down);
const absent = new AbsentFile("status 404");

let orgId: string;
beforeEach(async () => {
  orgId = await bench.found(CREDITS);
});

/** How a job ends whose polls give these results, the last one repeatedly. */
async function endAfter(...looks: typeof acme.states): Promise<string> {
  acme.states = looks;
  const { requestId } = await video.submit(callOf(orgId));
  return (await finish(orgId, requestId)).providerStatus;
}

const times = <T>(count: number, look: T): T[] => Array(count).fill(look);

test.each([
  ["that its provider no longer knows", [new ProviderFailure("unauthorized", "no such operation")]],
  ["that is done but whose video is absent", [absent]],
  ["that is done but whose result is withheld", [withheld]],
  ["that is done after an outage but whose result never comes", [...times(16, down), withheld]],
])("a video job %s fails before its deadline and costs nothing", async (_which, looks) => {
  expect(await endAfter(...looks)).toBe("failed:provider_error");
  expect(await bench.balance(orgId)).toBe(`0+0 ${CREDITS}+0`);
});

test.each([
  ["a video", [], times(10, absent)],
  ["a result", [], times(15, withheld)],
  ["a result after an outage", times(16, down), times(9, withheld)],
  ["a result after an outage during the wait", [...times(15, withheld), down], times(9, withheld)],
])("%s that comes late is kept", async (_what, before, waiting) => {
  expect(await endAfter(...before, ...waiting, videoState())).toBe("succeeded");
});
