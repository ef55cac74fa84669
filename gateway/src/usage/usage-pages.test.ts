import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../kit/index.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";
import type { Usage } from "./usage.ts";

type Options = Partial<Parameters<Usage["usageView"]>[1]>;
type Made = {
  readonly id: string;
  readonly day: string;
  readonly keyId: string;
  readonly model: string;
  readonly member: boolean;
  readonly credits: number;
  readonly status: string;
};

const MODELS = ["talker", "painter"];
const STATUSES = ["succeeded", "failed", "cancelled"] as const;

let harness: UsageHarness;
let organization: TestOrganization;
const made: Made[] = [];

/** Five days of eight calls each, of every combination; the last one is today. */
beforeAll(async () => {
  harness = await createUsageHarness();
  await harness.advanceToTimeOfDay(12 * HOUR_MS);
  organization = await harness.createOrganization();
  await organization.topUp(100_000);
  const second = await organization.addKey("Second", "bbbb");
  for (let at = 0; at < 40; at++) {
    if (at > 0 && at % 8 === 0) await harness.advanceClock(DAY_MS);
    const [keyId, model] = [at % 2 === 0 ? organization.keyId : second, MODELS[at % 3 === 0 ? 1 : 0] ?? ""];
    const member = at % 5 === 0;
    const status = STATUSES[at % 4] ?? "succeeded";
    const memberUserId = member ? organization.memberId : null;
    const call = await organization.begin({ keyId, model, memberUserId });
    const credits = status === "failed" ? 0 : (at % 7) + 1;
    await organization.end(call, credits, { status });
    const day = (await harness.databaseNow()).toISOString().slice(0, 10);
    made.unshift({ id: call.requestId, day, keyId, model, member, credits, status });
  }
});
afterAll(() => harness.drop());

const dayAgo = (days: number) => made.find((_, at) => at === days * 8)?.day ?? "";

async function pagesOf(options: Options, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let after: string | undefined;
  for (let pages = 1; pages <= 50; pages++) {
    const asked = { days: 90, ...options, limit, after };
    const { requests, next_cursor } = await harness.usage.usageView(organization, asked);
    ids.push(...requests.map(({ request_id }) => request_id));
    if (next_cursor === null) return { ids, pages };
    after = next_cursor;
  }
  throw new Error("the pages do not end");
}

const FILTERS: readonly (readonly [string, () => Options, (call: Made) => boolean])[] = [
  ["nothing", () => ({}), () => true],
  ["a key", () => ({ keyId: organization.keyId }), ({ keyId }) => keyId === organization.keyId],
  ["a member", () => ({ memberId: organization.memberId }), ({ member }) => member],
  ["a model", () => ({ model: "painter" }), ({ model }) => model === "painter"],
  ["a first day", () => ({ from: dayAgo(2) }), ({ day }) => day >= dayAgo(2)],
  ["a last day", () => ({ to: dayAgo(1) }), ({ day }) => day <= dayAgo(1)],
  ["days up to one", () => ({ to: dayAgo(1), days: 2 }), ({ day }) => [dayAgo(1), dayAgo(2)].includes(day)],
  ["one day", () => ({ from: dayAgo(3), to: dayAgo(3) }), ({ day }) => day === dayAgo(3)],
  [
    "everything at once",
    () => ({ from: dayAgo(4), to: dayAgo(1), model: "talker", keyId: organization.keyId }),
    ({ day, model, keyId }) => day <= dayAgo(1) && model === "talker" && keyId === organization.keyId,
  ],
  ["what nobody used", () => ({ model: "nobody's" }), () => false],
];

test.each(FILTERS)(
  "filtered by %s, the pages have every request once, and the sums are theirs",
  async (...of) => {
    const [, options, isMeant] = of;
    const meant = made.filter(isMeant);
    const { ids, pages } = await pagesOf(options(), 3);
    expect(ids).toEqual(meant.map(({ id }) => id));
    expect(pages).toBe(Math.max(1, Math.ceil(meant.length / 3)));
    const { summary, by_api_key } = await harness.usage.usageView(organization, {
      days: 90,
      ...options(),
      limit: 1,
    });
    const credits = meant.reduce((sum, call) => sum + call.credits, 0);
    expect(summary).toMatchObject({ requests: meant.length, credits_charged: credits });
    expect(summary.by_day.reduce((sum, { requests }) => sum + requests, 0)).toBe(meant.length);
    expect(by_api_key.reduce((sum, { requests }) => sum + requests, 0)).toBe(meant.length);
    expect(summary.by_day).toHaveLength(summary.days);
  },
);

test("a status restricts the requests, not the sums", async () => {
  for (const status of STATUSES) {
    const meant = made.filter((call) => call.status === status).map(({ id }) => id);
    expect((await pagesOf({ status }, 4)).ids).toEqual(meant);
  }
  const { summary } = await harness.usage.usageView(organization, { days: 90, status: "failed", limit: 1 });
  expect(summary.requests).toBe(made.length);
});

test("days before any call, and days to come, are no error", async () => {
  const view = (options: Options) => harness.usage.usageView(organization, { days: 2, limit: 5, ...options });
  const old = await view({ from: "2001-01-01" });
  expect([old.summary.days, old.summary.to, old.requests]).toEqual([90, "2001-03-31", []]);
  const { summary } = await view({ from: dayAgo(0), to: "2999-12-31" });
  expect([summary.days, summary.to, summary.requests]).toEqual([1, dayAgo(0), 8]);
  expect((await view({ from: "2999-01-01" })).summary).toMatchObject({ days: 0, requests: 0, by_day: [] });
});

test("a running job is listed today, and not among the requests of other days", async () => {
  const job = await organization.begin({ kind: "job", endpoint: "api-v1-video" });
  const newest = async (options: Options) =>
    (await harness.usage.usageView(organization, { days: 90, limit: 1, ...options })).requests[0]?.request_id;
  expect(await newest({})).toBe(job.requestId);
  expect(await newest({ status: "processing" })).toBe(job.requestId);
  expect(await newest({ to: dayAgo(1) })).toBe(made[8]?.id);
  await organization.end(job, 0, { status: "failed" });
});
