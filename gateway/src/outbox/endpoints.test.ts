import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MAX_ENDPOINTS } from "./endpoints.ts";
import { OPERATORS } from "./events.ts";
import { type EndpointKind, loadDeliveries, loadEvents } from "./store.ts";
import { createOutboxFixture, type OutboxFixture } from "./testing.ts";

let fixture: OutboxFixture;
let orgId: string;
beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  orgId = await fixture.found();
});

const pool = () => fixture.database.db.pool;

function create(
  address: string,
  kind: EndpointKind = "webhook",
  more: { isLocal?: boolean; orgId?: string } = {},
) {
  const { endpoints } = fixture.open({ isLocal: more.isLocal ?? false });
  return endpoints.create(pool(), { orgId: more.orgId ?? orgId, kind, address, types: [] });
}

describe("an endpoint", () => {
  test("shows its host alone; address and secret are sealed, and the secret is shown once", async () => {
    const made = await create("https://hooks.example/services/T000/canary?token=canary");
    expect(made).toMatchObject({
      endpoint: { kind: "webhook", host: "hooks.example", types: [], pausedAt: null },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const listed = await fixture.outbox.endpoints.list(pool(), orgId);
    const { rows } = await pool().query("select * from endpoints where org_id = $1", [orgId]);
    for (const text of [JSON.stringify(listed), JSON.stringify(rows)]) {
      expect(text).toContain("hooks.example");
      expect(text).not.toContain("canary");
      expect(text).not.toContain("whsec_");
    }
  });

  test.each([
    ["http://hooks.example/", "webhook"],
    ["https://hooks.example:8443/", "webhook"],
    ["https://user:word@hooks.example/", "slack"],
    ["https://ai.example.com/webhooks", "webhook"],
    ["ftp://hooks.example/", "webhook"],
    ["hooks", "slack"],
    [`https://hooks.example/${"a".repeat(2_000)}`, "webhook"],
    ["no address", "email"],
    ["a@example.com,b@example.com", "email"],
  ] as const)("is refused at %s", async (address, kind) => {
    expect(await create(address, kind)).toBe("address");
  });

  test("inside is for operators, and for a gateway that nobody else can reach", async () => {
    const address = "http://127.0.0.1:9000/hook";
    expect(await create(address)).toBe("address");
    expect(await create(address, "webhook", { isLocal: true })).toMatchObject({
      endpoint: { host: "127.0.0.1:9000" },
    });
    expect(await create(address, "webhook", { orgId: OPERATORS })).toMatchObject({ endpoint: {} });
  });

  test("by email is for members, and where mail is configured", async () => {
    expect(await create("stranger@example.com", "email")).toBe("member");
    const address = `member@${orgId}.com`;
    expect(await create(address, "email")).toMatchObject({ endpoint: { host: address }, secret: null });
    const { endpoints } = fixture.open({ mail: null });
    expect(await endpoints.create(pool(), { orgId, kind: "email", address, types: [] })).toBe("no_mail");
  });

  test("asks for types that there are", async () => {
    const made = await fixture.webhook(orgId, "https://hooks.example/", ["key.created"]);
    const ref = { orgId, id: made.endpoint.id };
    const { endpoints } = fixture.outbox;
    expect(await endpoints.update(pool(), ref, { types: ["key.made"] })).toBe("types");
    expect(await endpoints.update(pool(), ref, { types: ["key.revoked"] })).toMatchObject({
      types: ["key.revoked"],
      pausedAt: null,
    });
    expect(await endpoints.update(pool(), ref, { paused: true })).toMatchObject({
      types: ["key.revoked"],
      pausedAt: expect.any(Date),
    });
    expect(await endpoints.update(pool(), ref, { paused: false })).toMatchObject({ pausedAt: null });
  });

  test("of another organization can be neither seen, changed, rotated, removed nor replayed", async () => {
    const { endpoint } = await fixture.webhook(orgId, "https://hooks.example/");
    const foreign = { orgId: await fixture.found(), id: endpoint.id };
    const { endpoints } = fixture.outbox;
    expect(await endpoints.find(pool(), foreign)).toBeUndefined();
    expect(await endpoints.update(pool(), foreign, { paused: true })).toBeUndefined();
    expect(await endpoints.rotate(pool(), foreign)).toBeUndefined();
    expect(await endpoints.remove(pool(), foreign)).toBeUndefined();
    expect(await loadDeliveries(pool(), foreign, { before: null, limit: 10 })).toEqual([]);
    expect(await endpoints.list(pool(), foreign.orgId)).toEqual([]);
    expect(await endpoints.list(pool(), orgId)).toMatchObject([{ id: endpoint.id, pausedAt: null }]);
    expect(await endpoints.remove(pool(), { orgId, id: endpoint.id })).toMatchObject({ id: endpoint.id });
  });

  test("of which there are enough is one too many, also for those who ask at once", async () => {
    const asked = Array.from({ length: MAX_ENDPOINTS + 5 }, async (_, n) => {
      const address = `https://hooks${n}.example/`;
      return fixture.database.db.transaction((client) =>
        fixture.outbox.endpoints.create(client, { orgId, kind: "webhook", address, types: [] }),
      );
    });
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === "too_many")).toHaveLength(5);
    expect(await fixture.outbox.endpoints.list(pool(), orgId)).toHaveLength(MAX_ENDPOINTS);
  });
});

describe("events", () => {
  test("have numbers without gaps in their organization, in the order in which they could be read", async () => {
    const [late, early] = [await fixture.database.db.connect(), await fixture.found()];
    const before = (await loadEvents(pool(), orgId, { before: null, after: null, limit: 1 }))[0]?.seq ?? 0;
    await late.query("begin");
    await late.query("select event_append($1, 'key.created', '{\"n\": 0}')", [orgId]);
    for (let n = 1; n <= 3; n++) await fixture.event(orgId, "key.created", { n });
    await fixture.event(early);
    while (await fixture.outbox.fanOut());
    await late.query("commit");
    await late.end();
    while (await fixture.outbox.fanOut());
    const page = { before: null, after: before, limit: 10 };
    const read = await loadEvents(pool(), orgId, page);
    expect(read.map(({ seq, data }) => [seq - before, data["n"]])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 0],
    ]);
    const newest = await loadEvents(pool(), orgId, { before: before + 4, after: null, limit: 2 });
    expect(newest.map(({ data }) => data["n"])).toEqual([3, 2]);
  });

  test("of a month ago are forgotten with their deliveries, and numbers go on", async () => {
    await fixture.webhook(orgId, "https://hooks.example/");
    await fixture.event(orgId);
    await fixture.outbox.fanOut();
    const [old] = await loadEvents(pool(), orgId, { before: null, after: null, limit: 1 });
    await fixture.database.advanceClock(29 * 86_400_000);
    await fixture.outbox.forgetOld();
    expect(await loadEvents(pool(), orgId, { before: null, after: null, limit: 1 })).toEqual([old] as never);
    await fixture.database.advanceClock(2 * 86_400_000);
    await fixture.outbox.forgetOld();
    const { rows } = await pool().query(
      "select (select count(*) from events)::int + (select count(*) from deliveries)::int as n",
    );
    expect(rows).toEqual([{ n: 0 }]);
    await fixture.event(orgId);
    await fixture.outbox.fanOut();
    expect(await loadEvents(pool(), orgId, { before: null, after: null, limit: 9 })).toMatchObject([
      { seq: (old?.seq ?? 0) + 1 },
    ]);
  });

  test("without a transaction of their own are written once an hour", async () => {
    for (let n = 0; n < 3; n++) await fixture.outbox.note("provider.down", { target: "acme/small" });
    await fixture.outbox.note("provider.down", { target: "acme/large" });
    await fixture.database.advanceClock(3_600_001);
    await fixture.outbox.note("provider.down", { target: "acme/small" });
    await fixture.outbox.fanOut();
    const written = await loadEvents(pool(), OPERATORS, { before: null, after: 0, limit: 10 });
    expect(written.map(({ data }) => data["target"])).toEqual(["acme/small", "acme/large", "acme/small"]);
  });
});
