import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { lowestIdAt } from "../kit/id-testing.ts";
import { DAY_MS, HOUR_MS, newId } from "../kit/index.ts";
import type { Usage } from "./index.ts";
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
});

async function today(offsetDays = 0): Promise<string> {
  return new Date((await harness.databaseNow()).getTime() + offsetDays * DAY_MS).toISOString().slice(0, 10);
}

describe("usage view", () => {
  test("an organization without calls has only days without calls", async () => {
    const view = await usage.usageView(organization, { days: 3, limit: 50 });
    expect(view).toEqual({
      summary: {
        from: await today(-2),
        to: await today(),
        days: 3,
        requests: 0,
        failed_requests: 0,
        credits_charged: 0,
        input_tokens: 0,
        output_tokens: 0,
        tokens_saved: 0,
        cache: { read_tokens: 0, written_tokens: 0, saved_credits: 0 },
        by_day: [
          { date: await today(-2), requests: 0, credits_charged: 0 },
          { date: await today(-1), requests: 0, credits_charged: 0 },
          { date: await today(), requests: 0, credits_charged: 0 },
        ],
        by_model: [],
        refused_requests: 0,
        refusals_by_code: [],
      },
      by_api_key: [],
      by_member: [],
      requests: [],
      next_cursor: null,
    });
  });

  test("what caches read, wrote and saved is summed up, by model and by key, also where writing cost more", async () => {
    await organization.topUp(1_000);
    const measured = (read: number, written: number, saved: number) =>
      JSON.stringify({ cached_input_tokens: read, cache_write_tokens: written, cache_saved: saved });
    await organization.end(await organization.begin(), 5, { measured: measured(4, 1, 2_345_678) });
    const lone = await organization.begin({ model: "painter" });
    await organization.end(lone, 5, { measured: measured(0, 2, -7_009_999) });
    const { summary, by_api_key: keys } = await usage.usageView(organization, { days: 1, limit: 50 });
    expect(summary.cache).toEqual({ read_tokens: 4, written_tokens: 3, saved_credits: -4.66 });
    expect(summary.by_model.map(({ model, cache_saved_credits: saved }) => [model, saved])).toEqual([
      ["painter", -7],
      ["talker", 2.34],
    ]);
    expect(keys.map(({ cache_saved_credits: saved }) => saved)).toEqual([-4.66]);
    const { days, parts } = await usage.report(organization.id, { filter: { days: 1 }, split: "model" });
    expect(days[0]).toMatchObject({ cacheRead: 4, cacheWritten: 3, cacheSaved: -4_664_321 });
    expect(parts.map(({ id, cacheSaved }) => [id, cacheSaved])).toEqual([
      ["painter", -7_009_999],
      ["talker", 2_345_678],
    ]);
  });

  test("a call that began before midnight UTC counts on the day it was settled, in sums and list", async () => {
    await organization.topUp(1000);
    await harness.advanceToTimeOfDay(DAY_MS - 60_000);
    const early = await organization.pay(2);
    const late = await organization.begin();
    const dayBefore = await today();
    await harness.advanceClock(120_000);
    await organization.end(late, 5);
    const one = await usage.usageView(organization, { days: 1, limit: 50 });
    expect(one.summary.by_day).toEqual([{ date: await today(), requests: 1, credits_charged: 5 }]);
    expect(one.requests.map((request) => request.request_id)).toEqual([late.requestId]);
    const two = await usage.usageView(organization, { days: 2, limit: 50 });
    expect(two.summary.by_day).toEqual([
      { date: dayBefore, requests: 1, credits_charged: 2 },
      { date: await today(), requests: 1, credits_charged: 5 },
    ]);
    expect(two.requests.map((request) => request.request_id)).toEqual([late.requestId, early]);
    await harness.advanceToTimeOfDay(12 * HOUR_MS);
  });

  test("a call is listed on the whole day on which it ended, however long it took", async () => {
    // A database that has the gateway's time, which ids carry.
    const still = await createUsageHarness();
    const caller = await still.createOrganization();
    await caller.topUp(1000);
    // As seen in the last minute of a day: it began an hour before that day.
    const requestId = await caller.pay(5, { requestId: lowestIdAt(Date.now() - DAY_MS - HOUR_MS) });
    const { requests } = await still.usage.usageView(caller, { days: 1, limit: 50 });
    expect(requests.map((request) => request.request_id)).toEqual([requestId]);
    await still.drop();
  });

  test("sums by model, key and member have the summary's calls, with a row for unattributed spend", async () => {
    await organization.topUp(1000);
    const otherKey = await organization.addKey("Other", "bbbb");
    await organization.pay(2, { memberUserId: organization.memberId });
    await organization.pay(3, { model: "painter", keyId: otherKey });
    await organization.pay(4, { model: "gone" });
    await organization.end(await organization.begin(), 0, { status: "failed", errorCode: "internal_error" });
    const view = await usage.usageView(organization, { days: 1, limit: 50 });
    expect(view.summary).toMatchObject({
      requests: 4,
      failed_requests: 1,
      credits_charged: 9,
      input_tokens: 28,
      output_tokens: 12,
      tokens_saved: 4,
    });
    expect(view.summary.by_model).toEqual([
      { model: "gone", type: "text", requests: 1, credits_charged: 4, cache_saved_credits: 0 },
      { model: "painter", type: "image", requests: 1, credits_charged: 3, cache_saved_credits: 0 },
      { model: "talker", type: "text", requests: 2, credits_charged: 2, cache_saved_credits: 0 },
    ]);
    const used = expect.stringMatching(/Z$/);
    expect(view.by_api_key).toEqual([
      {
        api_key_id: organization.keyId,
        name: "Main",
        last_four: "aaaa",
        requests: 3,
        credits_charged: 6,
        last_used_at: used,
        cache_saved_credits: 0,
      },
      {
        api_key_id: otherKey,
        name: "Other",
        last_four: "bbbb",
        requests: 1,
        credits_charged: 3,
        last_used_at: used,
        cache_saved_credits: 0,
      },
    ]);
    expect(view.by_member).toEqual([
      { member_user_id: null, name: null, email: null, requests: 3, credits_charged: 7 },
      {
        member_user_id: organization.memberId,
        name: "Ada",
        email: `${organization.memberId}@example.com`,
        requests: 1,
        credits_charged: 2,
      },
    ]);
  });

  test.each([
    ["api-v1-chat", "text"],
    ["v1-chat-completions", "text"],
    ["v1-responses", "text"],
    ["api-v1-images", "image"],
    ["v1-images-generations", "image"],
    ["api-v1-audio", "audio"],
    ["api-v1-video", "video"],
  ])("a model missing from the catalog has the type of what %s makes: %s", async (endpoint, type) => {
    await organization.topUp(100);
    await organization.pay(4, { model: "gone", endpoint });
    await organization.pay(3, { model: "gone", endpoint, memberUserId: organization.memberId });
    const { summary } = await usage.usageView(organization, { days: 1, limit: 1 });
    expect(summary.by_model).toEqual([
      { model: "gone", type, requests: 2, credits_charged: 7, cache_saved_credits: 0 },
    ]);
  });

  test("a key's last use is the later of its last settlement and its last authentication", async () => {
    await organization.topUp(100);
    await organization.pay(1);
    const [settled] = (await usage.usageView(organization, { days: 1, limit: 1 })).by_api_key;
    const later = new Date((await harness.databaseNow()).getTime() + 5_000);
    await harness.db.pool.query("update api_keys set last_used_at = $2 where id = $1", [
      organization.keyId,
      later,
    ]);
    const [authenticated] = (await usage.usageView(organization, { days: 1, limit: 1 })).by_api_key;
    expect(authenticated?.last_used_at).toBe(later.toISOString());
    await harness.db.pool.query("update api_keys set last_used_at = '2020-01-01' where id = $1", [
      organization.keyId,
    ]);
    const [again] = (await usage.usageView(organization, { days: 1, limit: 1 })).by_api_key;
    expect(again?.last_used_at).toBe(settled?.last_used_at);
  });

  test("a key that was revoked during its last call was last used when it was revoked", async () => {
    await organization.topUp(100);
    const running = await organization.begin();
    const revokedAt = new Date((await harness.databaseNow()).getTime() - 5_000);
    await harness.db.pool.query("update api_keys set revoked_at = $2 where id = $1", [
      organization.keyId,
      revokedAt,
    ]);
    await organization.end(running, 1);
    const [revoked] = (await usage.usageView(organization, { days: 1, limit: 1 })).by_api_key;
    expect(revoked?.last_used_at).toBe(revokedAt.toISOString());
  });

  test("requests have every field and are listed newest first, up to the limit", async () => {
    await organization.topUp(100);
    const first = await organization.begin({ memberUserId: organization.memberId });
    await organization.end(first, 3);
    const second = await organization.begin({ model: "painter", endpoint: "api-v1-images" });
    await organization.end(second, 0, {
      status: "failed",
      errorCode: "internal_error",
      reason: "provider_limit",
      latencyMs: null,
    });
    const view = await usage.usageView(organization, { days: 1, limit: 50 });
    expect(view.requests).toEqual([
      {
        request_id: second.requestId,
        created_at: expect.stringMatching(/Z$/),
        endpoint: "api-v1-images",
        model: "painter",
        status: "failed",
        api_key_id: organization.keyId,
        member_user_id: null,
        credits_charged: 0,
        input_tokens: 7,
        output_tokens: 3,
        tokens_saved: 1,
        latency_ms: null,
        error_code: "internal_error",
        reason: "provider_limit",
      },
      {
        request_id: first.requestId,
        created_at: expect.stringMatching(/Z$/),
        endpoint: "api-v1-chat",
        model: "talker",
        status: "succeeded",
        api_key_id: organization.keyId,
        member_user_id: organization.memberId,
        credits_charged: 3,
        input_tokens: 7,
        output_tokens: 3,
        tokens_saved: 1,
        latency_ms: 42,
        error_code: null,
        reason: null,
      },
    ]);
    const one = await usage.usageView(organization, { days: 1, limit: 1 });
    expect(one.requests.map((request) => request.request_id)).toEqual([second.requestId]);
  });

  test("a running video job is listed as processing with 0 credits; a running call is not listed", async () => {
    await organization.topUp(100);
    const done = await organization.pay(1);
    await organization.begin();
    const job = await organization.begin({
      kind: "job",
      endpoint: "api-v1-video",
      model: "video",
      holdTtlMs: HOUR_MS,
    });
    const view = await usage.usageView(organization, { days: 1, limit: 50 });
    expect(
      view.requests.map((request) => [request.request_id, request.status, request.credits_charged]),
    ).toEqual([
      [job.requestId, "processing", 0],
      [done, "succeeded", 1],
    ]);
    expect(view.summary.requests).toBe(1);
  });

  test("another organization's calls appear in no figure and no list", async () => {
    await organization.topUp(100);
    await organization.pay(1);
    const stranger = { id: newId(), plan: "free" };
    await harness.db.pool.query("insert into organization (id, name, slug) values ($1, 'Stranger', $2)", [
      stranger.id,
      stranger.id,
    ]);
    const view = await usage.usageView(stranger, { days: 90, limit: 200 });
    expect(view.summary.requests).toBe(0);
    expect([...view.by_api_key, ...view.by_member, ...view.requests]).toEqual([]);
  });

  test("usage of a day equals what the ledger charged on it", async () => {
    await organization.topUp(1000);
    await Promise.all(Array.from({ length: 30 }, (_, i) => organization.pay(i % 7)));
    const view = await usage.usageView(organization, { days: 1, limit: 200 });
    const { recent_ledger } = await usage.balanceView(organization, { limit: 200 });
    const charged = recent_ledger
      .filter((entry) => entry.type === "charge")
      .reduce((sum, entry) => sum - entry.amount, 0);
    const listed = view.requests.reduce((sum, request) => sum + request.credits_charged, 0);
    expect(view.summary.credits_charged).toBe(charged);
    expect(listed).toBe(charged);
  });
});
