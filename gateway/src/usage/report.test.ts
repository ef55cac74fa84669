import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AdmissionCall } from "../admission/index.ts";
import { lowestIdAt } from "../kit/id-testing.ts";
import { credits, DAY_MS, HOUR_MS, newId } from "../kit/index.ts";
import type { Split, Usage, UsageFilter } from "./index.ts";
import { createUsageHarness, type TestOrganization, type UsageHarness } from "./testing.ts";

let harness: UsageHarness;
let usage: Usage;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await createUsageHarness();
  usage = harness.usage;
  await harness.advanceToTimeOfDay(12 * HOUR_MS);
});

afterAll(() => harness.drop());

beforeEach(async () => {
  organization = await harness.createOrganization();
  await organization.topUp(1_000_000);
});

const report = (filter: Partial<UsageFilter> = {}, split: Split = "model", onlyMemberId?: string) =>
  usage.report(organization.id, {
    filter: { days: 1, ...filter },
    split,
    ...(onlyMemberId === undefined ? {} : { onlyMemberId }),
  });

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe("a report", () => {
  test("lists every day in order, with zeroes where nothing happened", async () => {
    const { days, parts, choices } = await report({ days: 3 });
    const today = (await harness.databaseNow()).getTime();
    const dates = [2, 1, 0].map((ago) => new Date(today - ago * DAY_MS).toISOString().slice(0, 10));
    expect(days.map(({ day }) => day)).toEqual(dates);
    expect(days.every(({ requests, credits }) => requests === 0 && credits === 0)).toBe(true);
    expect(parts).toEqual([]);
    expect(choices).toEqual({ models: [], endpoints: [], keys: [], members: [] });
  });

  test("names the eight largest parts and sums up all others in one, so that they add up to the whole", async () => {
    for (let at = 1; at <= 11; at++) await organization.pay(at, { model: `model-${at}` });
    const { parts, days } = await report();
    expect(parts.map(({ id, isRest }) => (isRest ? "rest" : id))).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5, 4].map((at) => `model-${at}`),
      "rest",
    ]);
    expect(parts.at(-1)).toMatchObject({ credits: 6, requests: 3, creditsByDay: [6] });
    expect(total(parts.map(({ credits }) => credits))).toBe(days[0]?.credits ?? -1);
    expect(total(parts.map(({ requests }) => requests))).toBe(11);
  });

  test("shows the tokens saved by each model, and keys and members by name", async () => {
    await organization.pay(3, { memberUserId: organization.memberId });
    await organization.pay(2);
    expect((await report()).days[0]).toMatchObject({
      requests: 2,
      failed: 0,
      credits: 5,
      inputTokens: 14,
      outputTokens: 6,
      tokensSaved: 2,
      savedByModel: [{ model: "talker", tokens: 2 }],
    });
    expect((await report({}, "key")).parts.map(({ name, credits }) => [name, credits])).toEqual([
      ["Main", 5],
    ]);
    expect((await report({}, "member")).parts.map(({ id, name, credits }) => [id, name, credits])).toEqual([
      [organization.memberId, "Ada", 3],
      [null, null, 2],
    ]);
    expect((await report()).choices).toEqual({
      models: ["talker"],
      endpoints: ["api-v1-chat"],
      keys: [{ id: organization.keyId, name: "Main" }],
      members: [{ id: organization.memberId, name: "Ada" }],
    });
  });

  test("of one member shows nothing of others, not even as a filter choice", async () => {
    await organization.pay(3, { memberUserId: organization.memberId });
    await organization.pay(5, { memberUserId: newId(), model: "secret", keyId: newId() });
    const { days, parts, choices } = await report({}, "model", organization.memberId);
    expect(days[0]?.credits).toBe(3);
    expect(parts.map(({ id }) => id)).toEqual(["talker"]);
    expect(choices).toMatchObject({ models: ["talker"], members: [{ id: organization.memberId }] });
    expect(choices.keys).toHaveLength(1);
  });

  test("of another organization shows nothing of this one", async () => {
    await organization.pay(3);
    const other = await harness.createOrganization();
    const { days, parts } = await usage.report(other.id, { filter: { days: 90 }, split: "key" });
    expect(total(days.map(({ requests }) => requests))).toBe(0);
    expect(parts).toEqual([]);
  });

  test("counts a call on the day it was settled", async () => {
    await harness.advanceToTimeOfDay(DAY_MS - 60_000);
    const late = await organization.begin();
    await harness.advanceClock(120_000);
    await organization.end(late, 7);
    const { days } = await report({ days: 2 });
    expect(days.map(({ credits }) => credits)).toEqual([0, 7]);
    await harness.advanceToTimeOfDay(12 * HOUR_MS);
  });
});

describe("sums for any filter", () => {
  const MODELS = ["talker", "painter", "gone"];
  const ENDPOINTS = ["api-v1-chat", "api-v1-images"];
  type Call = Pick<AdmissionCall, "model" | "endpoint" | "keyId" | "memberUserId"> & { cost: number };

  test("equal what the ledger charged for the matching calls, however they are split", async () => {
    const keys = [organization.keyId, await organization.addKey("Second", "bbbb")];
    const members = [organization.memberId, newId(), null];
    const one = <T>(choices: readonly T[]) => fc.constantFrom(...choices);
    const maybe = <T>(choices: readonly T[]) => fc.option(one(choices), { nil: undefined });
    const callArbitrary: fc.Arbitrary<Call> = fc.record({
      model: one(MODELS),
      endpoint: one(ENDPOINTS),
      keyId: one(keys),
      memberUserId: one(members),
      cost: fc.nat(9),
    });
    const made = fc.sample(fc.array(callArbitrary, { minLength: 60, maxLength: 60 }), {
      numRuns: 1,
      seed: 7,
    })[0];
    const ids = await Promise.all((made ?? []).map(({ cost, ...call }) => organization.pay(cost, call)));
    const calls = (made ?? []).map((call, at) => ({ ...call, id: ids[at] ?? "" }));
    const { rows } = await harness.db.pool.query<{ request_id: string; charged: string }>(
      `select request_id, -sum(amount) as charged from entries where org_id = $1 and type = 'charge' group by 1`,
      [organization.id],
    );
    const charged = new Map(rows.map((row) => [row.request_id, Number(row.charged)]));
    const filterArbitrary = fc.record({
      model: maybe(MODELS),
      endpoint: maybe(ENDPOINTS),
      keyId: maybe(keys),
      memberId: maybe(members),
    });
    const splits = one(["model", "key", "member", "endpoint"] as const);
    await fc.assert(
      fc.asyncProperty(filterArbitrary, splits, async (filter, split) => {
        const matching = calls.filter(
          (call) =>
            (filter.model === undefined || call.model === filter.model) &&
            (filter.endpoint === undefined || call.endpoint === filter.endpoint) &&
            (filter.keyId === undefined || call.keyId === filter.keyId) &&
            (filter.memberId === undefined || call.memberUserId === filter.memberId),
        );
        const spent = total(matching.map(({ id }) => charged.get(id) ?? 0));
        const { days, parts } = await report(filter, split);
        expect(total(days.map(({ credits }) => credits))).toBe(spent);
        expect(total(days.map(({ requests }) => requests))).toBe(matching.length);
        expect(total(parts.flatMap(({ creditsByDay }) => creditsByDay))).toBe(spent);
        const page = await usage.requests(organization.id, {
          filter: { days: 1, ...filter },
          status: null,
          sort: "time",
          isAscending: false,
          limit: 1_000,
          cursor: null,
        });
        expect(page.requests.map(({ requestId }) => requestId)).toEqual(
          matching
            .map(({ id }) => id)
            .sort()
            .reverse(),
        );
        expect(total(page.requests.map(({ credits }) => credits))).toBe(spent);
      }),
      { numRuns: 40 },
    );
  });

  test("a filtered list includes a call whose gateway's clock is ahead of the database's", async () => {
    const ahead = (await harness.databaseNow()).getTime() + 4 * 60_000;
    const requestId = await organization.pay(2, { requestId: lowestIdAt(ahead) });
    const page = { status: null, isAscending: false, limit: 10, cursor: null };
    for (const sort of ["time", "credits"] as const) {
      const { requests } = await usage.requests(organization.id, {
        ...page,
        filter: { days: 1, model: "talker" },
        sort,
      });
      expect(requests.map((request) => request.requestId)).toEqual([requestId]);
    }
  });
});

describe("standing", () => {
  test("returns available and held credits and what the open period was granted", async () => {
    const none = await usage.standing((await harness.createOrganization()).id);
    expect(none).toMatchObject({ subscription: 0, anytime: 0, held: 0, debt: 0, periodEnd: null });
    expect(none.subscriptionGranted).toBe(0);
    const endsAt = new Date((await harness.databaseNow()).getTime() + HOUR_MS);
    const grant = { orgId: organization.id, pool: "subscription", kind: "manual", reference: null } as const;
    for (const amount of [400, 100]) {
      await harness.ledger.grant({
        ...grant,
        amount: credits(amount),
        expiresAt: endsAt,
        description: "trial",
      });
    }
    await organization.pay(5);
    await organization.begin();
    expect(await usage.standing(organization.id)).toMatchObject({
      subscription: 485,
      anytime: 1_000_000,
      held: 10,
      subscriptionGranted: 500,
      periodEnd: endsAt,
      callsInFlight: 1,
      jobsInFlight: 0,
    });
  });

  test("a period that has just ended is over in the first response that reads it", async () => {
    const endsAt = new Date((await harness.databaseNow()).getTime() + HOUR_MS);
    await harness.ledger.grant({
      orgId: organization.id,
      pool: "subscription",
      kind: "manual",
      reference: null,
      amount: credits(50),
      expiresAt: endsAt,
      description: "trial",
    });
    await harness.advanceClock(HOUR_MS);
    expect(await usage.standing(organization.id)).toMatchObject({
      subscription: 0,
      periodEnd: null,
      subscriptionGranted: 0,
    });
  });
});
