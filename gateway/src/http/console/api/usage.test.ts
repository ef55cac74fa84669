import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { OrganizationRecord } from "../../../identity/index.ts";
import { credits, newId } from "../../../kit/index.ts";
import { savePriceRules } from "../../../ledger/store.ts";
import { createSpender, type Spender } from "../../../usage/testing.ts";
import { type ConsoleFixture, createConsoleFixture, okOf, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let spender: Spender;
let organization: OrganizationRecord;
let owner: TestBrowser;
let member: { browser: TestBrowser; userId: string };
let keyId: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  await fixture.advanceClock(msToNoon());
  spender = await createSpender(fixture.db);
});

afterAll(async () => {
  await spender.close();
  await fixture.close();
});

beforeEach(async () => {
  organization = await fixture.createOrganization();
  await spender.topUp(organization.id, 10_000);
  keyId = (await fixture.mintKey(organization.id)).key.id;
  owner = await fixture.signIn((await fixture.addMember(organization.id, "owner")).email);
  const added = await fixture.addMember(organization.id, "member");
  member = { browser: await fixture.signIn(added.email), userId: added.userId };
});

/** The tests move the clock to noon, so that none runs over midnight. */
function msToNoon(): number {
  const dayMs = 86_400_000;
  return (dayMs * 1.5 - (Date.now() % dayMs)) % dayMs;
}

async function pay(cost: number, memberUserId: string | null = null): Promise<string> {
  const call = await spender.begin(organization.id, keyId, { model: "acme-chat", memberUserId });
  await spender.end(call, cost, { tokensSaved: 20_000 });
  return call.requestId;
}

describe("the overview", () => {
  test("shows balance, holds, today's spending, savings and the newest requests", async () => {
    await pay(7, member.userId);
    const last = await pay(3);
    await spender.begin(organization.id, keyId);
    const { balance, today, period, report, recent } = okOf(await owner.query("usage.overview"));
    expect(balance).toMatchObject({ subscription: 0, anytime: 9_980, held: 10, debt: 0, level: "fine" });
    expect(balance.forecast).toEqual({ spentPerDay: 10, lastsDays: 998, expiresUnused: 0 });
    expect(today).toMatchObject({ requests: 2, credits: 10, tokensSaved: 40_000, creditsSaved: 4 });
    expect(period).toMatchObject({ credits: 10, isOpenPeriod: false });
    expect(report.days).toHaveLength(30);
    expect(report.parts).toMatchObject([{ id: "acme-chat", name: "acme-chat", credits: 10, isRest: false }]);
    expect(recent[0]).toMatchObject({ requestId: last, keyName: "Test", status: "succeeded", credits: 3 });
  });

  test("of a member has their own spending and the shared balance, without forecast and key names", async () => {
    await pay(7, member.userId);
    await pay(3);
    const { balance, today, recent } = okOf(await member.browser.query("usage.overview"));
    expect(balance).toMatchObject({ anytime: 9_990, forecast: null });
    expect(today).toMatchObject({ requests: 1, credits: 7 });
    expect(recent).toHaveLength(1);
    expect(recent[0]).toMatchObject({ credits: 7, keyName: null });
  });

  test("shows the level fine, low or empty", async () => {
    const levelOf = async () => okOf(await owner.query("usage.overview")).balance.level;
    for (let left = 10_000; left > 0; left -= 9_990) {
      const full = Math.min(left, 9_990);
      expect(await levelOf()).toBe(left > 1_000 ? "fine" : "low");
      const call = await spender.begin(organization.id, keyId, {
        minimum: credits(full),
        full: credits(full),
      });
      await spender.end(call, full);
    }
    expect(await levelOf()).toBe("empty");
  });
});

describe("usage and requests", () => {
  test("of a member are their own, whatever they ask for", async () => {
    const own = await pay(7, member.userId);
    const others = await pay(3);
    const input = { days: 1, split: "model" } as const;
    for (const memberId of [undefined, "none", newId()]) {
      const { sums, choices } = okOf(await member.browser.query("usage.get", { ...input, memberId }));
      expect(sums.credits).toBe(7);
      expect([choices.keys, choices.members]).toEqual([[], []]);
      const { rows } = okOf(await member.browser.query("request.list", { days: 1, memberId }));
      expect(rows.map(({ requestId }) => requestId)).toEqual([own]);
    }
    for (const split of ["key", "member"] as const) {
      expect(await member.browser.query("usage.get", { days: 1, split })).toMatchObject({ status: 403 });
    }
    expect(okOf(await member.browser.query("request.get", { requestId: own })).credits).toBe(7);
    const foreign = await member.browser.query("request.get", { requestId: others });
    const missing = await member.browser.query("request.get", { requestId: newId() });
    expect([foreign.status, foreign.problem]).toEqual([404, missing.problem]);
  });

  test("of another organization are in no list and have no receipt", async () => {
    const requestId = await pay(3);
    const elsewhere = await fixture.createOrganization("Elsewhere");
    const stranger = await fixture.signIn((await fixture.addMember(elsewhere.id, "owner")).email);
    expect(okOf(await stranger.query("request.list", { days: 90 })).rows).toEqual([]);
    expect(okOf(await stranger.query("usage.get", { days: 90, split: "key" })).sums.requests).toBe(0);
    for (const id of [requestId, "nonsense", ""]) {
      expect((await stranger.query("request.get", { requestId: id })).status).toBe(404);
    }
  });

  test.each([
    { days: 0, split: "model" },
    { days: 91, split: "model" },
    { days: 1.5, split: "model" },
    { days: 1, split: "day" },
    { days: 1, split: "model", keyId: "' or 1=1" },
    { days: 1, split: "model", model: "a\0b" },
    { days: 1, split: "model", model: "a\ud800b" },
    { days: 1, split: "model", orgId: "00000000-0000-7000-8000-000000000000" },
  ])("refuse %j", async (input) => {
    const { status, problem } = await owner.query("usage.get", input as never);
    expect([status, problem?.code]).toEqual([400, "invalid"]);
  });

  test("have a receipt with the hold, the charge by pool, and the price", async () => {
    const rule = { id: "rule-1", model: "acme-chat", json: "" };
    const terms = { version: 1, type: "text", credits_per_request: 1, input_per_million: 100 };
    rule.json = JSON.stringify({ ...terms, output_per_million: 400 });
    await savePriceRules(fixture.db, [rule]);
    const call = await spender.begin(organization.id, keyId, { memberUserId: member.userId });
    const running = okOf(await owner.query("request.get", { requestId: call.requestId }));
    expect(running).toMatchObject({ status: "processing", held: 10, settledAt: null, leftAfter: null });
    await spender.end(call, 4, { priceRuleId: "rule-1", target: "acme/m", tokensSaved: 30_000 });
    expect(okOf(await owner.query("request.get", { requestId: call.requestId }))).toMatchObject({
      status: "succeeded",
      held: 10,
      credits: 4,
      chargedSubscription: 0,
      chargedAnytime: 4,
      writtenOff: 0,
      leftAfter: 9_996,
      creditsSaved: 3,
      price: "100 credits per million tokens in, 400 out; at least 1 credit per answer",
      measured: { input: null, output: null, work: null },
      target: "acme/m",
      isGivenUp: false,
      latencyMs: 42,
    });
  });
});

test("a receipt describes what its price was applied to", async () => {
  const wordsOf = async (measured: string) => {
    const call = await spender.begin(organization.id, keyId);
    expect(okOf(await owner.query("request.get", { requestId: call.requestId })).measured?.work).toBeNull();
    await spender.end(call, 4, { inputTokens: 12_000, outputTokens: 900, measured });
    return okOf(await owner.query("request.get", { requestId: call.requestId })).measured;
  };
  expect(await wordsOf('{"cached_input_tokens":11000,"reasoning_tokens":300,"n":3}')).toEqual({
    input: "of which 11,000 cached",
    output: "of which 300 reasoning",
    work: "3 answers",
  });
  expect((await wordsOf('{"images":{"1k":2}}'))?.work).toBe("2 images at 1k");
});

describe("a list of requests", () => {
  test("has each row once over all pages, in every order", async () => {
    const ids: string[] = [];
    for (const cost of [5, 1, 5, 2, 9, 1, 3]) ids.push(await pay(cost));
    const costs = new Map([5, 1, 5, 2, 9, 1, 3].map((cost, at) => [ids[at] ?? "", cost]));
    for (const sort of ["time", "credits", "tokens", "latency"] as const) {
      for (const order of ["down", "up"] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < 10; page++) {
          const found = okOf(await owner.query("request.list", { days: 1, sort, order, cursor, limit: 2 }));
          seen.push(...found.rows.map(({ requestId }) => requestId));
          // New rows must not push others from one page to the next.
          if (page === 0 && order === "down") await pay(4);
          if (found.nextCursor === null) break;
          cursor = found.nextCursor;
        }
        const known = seen.filter((id) => ids.includes(id));
        expect(known.toSorted()).toEqual(ids.toSorted());
        expect(new Set(seen).size).toBe(seen.length);
        const values = known.map((id) => (sort === "credits" ? (costs.get(id) ?? 0) : ids.indexOf(id)));
        const rising = values.toSorted((a, b) => a - b);
        expect(values).toEqual(order === "up" ? rising : rising.toReversed());
      }
    }
  });

  test("is filtered by status", async () => {
    await pay(1);
    const call = await spender.begin(organization.id, keyId);
    await spender.end(call, 0, { status: "failed", errorCode: "internal_error", reason: "shutdown" });
    const failed = okOf(await owner.query("request.list", { days: 1, status: "failed" }));
    expect(failed.rows).toMatchObject([
      { requestId: call.requestId, errorCode: "internal_error", reason: "shutdown" },
    ]);
    expect(okOf(await owner.query("request.list", { days: 1, status: "cancelled" })).rows).toEqual([]);
  });

  test("includes running jobs once, on any page", async () => {
    await pay(1);
    const job = await spender.begin(organization.id, keyId, { kind: "job", endpoint: "api-v1-video" });
    await pay(2);
    const first = okOf(await owner.query("request.list", { days: 1, limit: 2 }));
    expect(first.rows.map(({ status }) => status)).toEqual(["succeeded", "processing"]);
    const running = okOf(await owner.query("request.list", { days: 1, status: "processing" }));
    expect(running.rows.map(({ requestId }) => requestId)).toEqual([job.requestId]);
    const filtered = okOf(await owner.query("request.list", { days: 1, endpoint: "api-v1-video" }));
    expect(filtered.rows.map(({ requestId }) => requestId)).toEqual([job.requestId]);
  });

  test("refuses a cursor that is malformed or made for another order, and accepts any well-formed one", async () => {
    await pay(1);
    await pay(1);
    const made = async (sort: "time" | "credits") =>
      okOf(await owner.query("request.list", { days: 1, sort, limit: 1 })).nextCursor ?? "";
    const place = `${"9".repeat(15)}.${newId()}.${newId()}`;
    const refused = [
      ...["x", "", `credits.1.${newId()}.y`, "9".repeat(200), place, `credits.${place}.1`].flatMap(
        (cursor) => [
          { sort: "time" as const, cursor },
          { sort: "credits" as const, cursor },
        ],
      ),
      { sort: "tokens" as const, cursor: await made("credits") },
      { sort: "time" as const, cursor: await made("credits") },
      { sort: "credits" as const, cursor: await made("time") },
    ];
    for (const asked of refused) {
      const { status, problem } = await owner.query("request.list", { days: 1, ...asked });
      expect([asked, status, problem?.field]).toEqual([asked, 400, "cursor"]);
    }
    for (const [sort, cursor] of [
      ["time", newId()],
      ["credits", `credits.${place}`],
    ] as const) {
      expect((await owner.query("request.list", { days: 1, sort, cursor })).status).toBe(200);
    }
    expect((await owner.query("request.list", { days: 1, cursor: "x".repeat(201) })).status).toBe(400);
  });

  test("continues among one's own requests behind a cursor of another organization", async () => {
    const mine = [await pay(1), await pay(2)];
    organization = await fixture.createOrganization();
    await spender.topUp(organization.id, 10_000);
    keyId = (await fixture.mintKey(organization.id)).key.id;
    const stranger = await fixture.signIn((await fixture.addMember(organization.id, "owner")).email);
    await pay(3);
    await pay(4);
    for (const sort of ["time", "credits"] as const) {
      const theirs = okOf(await stranger.query("request.list", { days: 1, sort, limit: 1 }));
      const cursor = theirs.nextCursor ?? "";
      const { rows } = okOf(await owner.query("request.list", { days: 1, sort, cursor }));
      expect(rows.map(({ requestId }) => requestId)).toEqual(mine.toReversed());
    }
  });
});
