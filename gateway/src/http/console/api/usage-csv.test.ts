import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OrganizationRecord } from "../../../identity/index.ts";
import { type FileReply, operationNamed } from "../../../operations/index.ts";
import { createSpender, type Spender } from "../../../usage/testing.ts";
import type { RequestFilter } from "../contract.ts";
import { type ConsoleFixture, createConsoleFixture, type TestBrowser } from "../testing.ts";

let fixture: ConsoleFixture;
let spender: Spender;
let organization: OrganizationRecord;
let owner: TestBrowser;
let keyId: string;

beforeAll(async () => {
  fixture = await createConsoleFixture();
  spender = await createSpender(fixture.db);
  organization = await fixture.createOrganization("Acme");
  await spender.topUp(organization.id, 100_000);
  keyId = (await fixture.mintKey(organization.id)).key.id;
  owner = await fixture.signIn((await fixture.addMember(organization.id, "owner")).email);
});

afterAll(async () => {
  await spender.close();
  await fixture.close();
});

async function exported(browser: TestBrowser, filter: RequestFilter): Promise<Response> {
  const organizationId = (await browser.query("session")).ok?.organization?.id ?? "";
  const input = encodeURIComponent(JSON.stringify({ ...filter, organizationId }));
  return browser.send(`/console/api/request.export?input=${input}`, { method: "GET" });
}

/** Inserts finished calls without making them. */
async function saveRequests(orgId: string, count: number): Promise<void> {
  await fixture.db.pool.query(
    `insert into requests
     select $1, (left(id_at(at)::text, 24) || lpad(n::text, 12, '0'))::uuid, at, at, 'call', 'succeeded',
       'api-v1-chat', 'talker', $1, null, 0, 0, n % 7, 0, 0, 0, 7, 3, 1, 42, null, null, null, null
     from generate_series(1, $2::integer) n, (select bursar_now() as at) moment`,
    [orgId, count],
  );
}

test("an export has every matching request, beyond one page, and a file name with its days", async () => {
  const calls = await Promise.all(
    Array.from({ length: 1_100 }, () => spender.begin(organization.id, keyId, { inFlight: 5_000 })),
  );
  await Promise.all(calls.map((call) => spender.end(call, 1)));
  const other = await spender.begin(organization.id, keyId, { model: "=cmd|'/c calc'!A1" });
  await spender.end(other, 2);
  const response = await exported(owner, { days: 7 });
  expect(response.headers.get("content-type")).toStartWith("text/csv");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="usage-acme-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect(response.headers.get("cache-control")).toBe("no-store");
  const lines = (await response.text()).split("\r\n");
  expect(lines[0]).toStartWith("time,request_id,endpoint,model,status,");
  expect(lines.at(-1)).toBe("");
  const ids = lines.slice(1, -1).map((line) => line.split(",")[1] ?? "");
  expect(ids).toHaveLength(1_101);
  expect(ids.toSorted()).toEqual([...calls, other].map(({ requestId }) => requestId).toSorted());
  expect(lines[1]).toContain(",'=cmd|'/c calc'!A1,");
  const filtered = await (await exported(owner, { days: 7, model: "=cmd|'/c calc'!A1" })).text();
  expect(filtered.split("\r\n")).toHaveLength(3);
}, 20_000);

test("an export ends with columns of token details, the reason and what caches saved, empty if there are none", async () => {
  const thrifty = await fixture.createOrganization("Thrifty");
  await spender.topUp(thrifty.id, 100);
  const { key } = await fixture.mintKey(thrifty.id);
  const browser = await fixture.signIn((await fixture.addMember(thrifty.id, "owner")).email);
  const measured = [
    '{"cached_input_tokens":4,"cache_write_tokens":2,"audio_input_tokens":1,"reasoning_tokens":3,"cache_saved":-1250000}',
    '{"reasoning_tokens":3,"n":2}',
    null,
  ];
  for (const kept of measured)
    await spender.end(await spender.begin(thrifty.id, key.id), 1, { measured: kept, reason: "client_left" });
  const [head = "", ...lines] = (await (await exported(browser, { days: 7 })).text()).split("\r\n");
  expect(head).toEndWith(
    ",latency_ms,cached_input_tokens,cache_write_tokens,audio_input_tokens,reasoning_tokens,reason,cache_saved",
  );
  expect(lines.map((line) => line.split(",").slice(-7).join(","))).toEqual([
    "42,,,,,client_left,",
    "42,,,,3,client_left,",
    "42,4,2,1,3,client_left,-1.25",
    "",
  ]);
});

test("an export of a sorted list has more rows than the list shows, newest first", async () => {
  const busy = await fixture.createOrganization("Busy");
  const browser = await fixture.signIn((await fixture.addMember(busy.id, "owner")).email);
  await saveRequests(busy.id, 5_100);
  const sorted = { days: 7, sort: "credits", order: "up" } as const;
  const lines = (await (await exported(browser, sorted)).text()).split("\r\n").slice(1, -1);
  expect(lines).toHaveLength(5_100);
  const ids = lines.map((line) => line.split(",")[1] ?? "");
  expect(ids).toEqual(ids.toSorted().toReversed());
}, 20_000);

test("members export only their own requests; signed-out visitors export nothing", async () => {
  const added = await fixture.addMember(organization.id, "member");
  const browser = await fixture.signIn(added.email);
  const call = await spender.begin(organization.id, keyId, { memberUserId: added.userId });
  await spender.end(call, 3);
  const lines = (await (await exported(browser, { days: 1 })).text()).split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(call.requestId);
  expect(lines[1]).not.toContain("Test");
  expect((await exported(fixture.openBrowser(), { days: 1 })).status).toBe(401);
  expect((await exported(owner, { days: 91 })).status).toBe(400);
});

test("one person may have two exports at a time; one that ends or is cancelled frees its place", async () => {
  const busy = await fixture.createOrganization("Exporting");
  await saveRequests(busy.id, 5_000);
  const [browser, colleague] = [
    await fixture.signIn((await fixture.addMember(busy.id, "owner")).email),
    await fixture.signIn((await fixture.addMember(busy.id, "owner")).email),
  ];
  const all = { days: 7 } as const;
  const [first, second] = [await exported(browser, all), await exported(browser, all)];
  const refused = await exported(browser, all);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
  expect((await (await exported(colleague, all)).text()).split("\r\n")).toHaveLength(5_002);
  await first.body?.cancel();
  expect((await (await exported(browser, all)).text()).split("\r\n")).toHaveLength(5_002);
  expect((await second.text()).split("\r\n")).toHaveLength(5_002);
  const again = [await exported(browser, all), await exported(browser, all)];
  expect(again.map(({ status }) => status)).toEqual([200, 200]);
  await Promise.all(again.map((response) => response.body?.cancel()));
}, 20_000);

test("all exports together read at most two pages at a time", async () => {
  let reading = 0;
  let most = 0;
  const usage = {
    async requests() {
      most = Math.max(most, ++reading);
      await Bun.sleep(1);
      reading--;
      return { requests: [], nextCursor: null };
    },
  };
  const clock = { nowMs: () => 0 };
  const { run } = operationNamed("request.export");
  const texts = Array.from({ length: 9 }, async (_, at) => {
    const by = { kind: "person", id: `person-${at}` };
    const act = { by, standing: "owner", organization, services: { usage, clock } };
    const { body } = (await run(act as never, { days: 1 } as never)) as FileReply;
    return new Response(body).text();
  });
  expect(new Set(await Promise.all(texts)).size).toBe(1);
  expect(most).toBe(2);
});
