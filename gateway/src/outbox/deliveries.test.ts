import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kit/index.ts";
import { type Delivery, loadDeliveries } from "./store.ts";
import { createOutboxFixture, type OutboxFixture, startReceiver } from "./testing.ts";

let fixture: OutboxFixture;
let orgId: string;
const receivers: { stop(): unknown }[] = [];
beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.database.db.pool.query("delete from endpoints");
  orgId = await fixture.found();
  fixture.emails.length = 0;
});
afterEach(() => receivers.splice(0).map((one) => one.stop()));

function receive(answer: Parameters<typeof startReceiver>[0]) {
  const receiver = startReceiver(answer);
  receivers.push(receiver);
  return receiver;
}
const ok = () => new Response(null, { status: 204 });

async function deliveries(id: string): Promise<Delivery[]> {
  return loadDeliveries(fixture.database.db.pool, { orgId, id }, { before: null, limit: 100 });
}

describe("a webhook", () => {
  test("that refuses twice gets the event again, signed as the standard's library expects", async () => {
    const receiver = receive((_, count) => new Response("no", { status: count < 3 ? 503 : 200 }));
    const { endpoint, secret } = await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId, "video.completed", { request_id: "1" });
    await fixture.deliverDue();
    expect(await deliveries(endpoint.id)).toMatchObject([
      { status: "waiting", attempts: 1, httpStatus: 503, problem: "status", type: "video.completed" },
    ]);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(1);
    await fixture.database.advanceClock(6_000);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(2);
    await fixture.database.advanceClock(MINUTE_MS + 1_000);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(3);
    expect(await deliveries(endpoint.id)).toMatchObject([
      { status: "delivered", attempts: 3, httpStatus: 200, problem: null, nextAt: null },
    ]);
    const [first, , third] = receiver.got;
    expect(third?.body).toBe(first?.body ?? "");
    const headers = Object.fromEntries(third?.headers.entries() ?? []);
    expect(new Webhook(secret).verify(third?.body ?? "", headers)).toEqual({
      id: headers["webhook-id"],
      type: "video.completed",
      timestamp: expect.any(String),
      seq: expect.any(Number),
      organization_id: orgId,
      livemode: true,
      data: { request_id: "1" },
    });
    expect(() => new Webhook(secret).verify(`${third?.body} `, headers)).toThrow("signature");
    expect(
      await fixture.database.db.pool.query("select failing_since from endpoints where id = $1", [
        endpoint.id,
      ]),
    ).toMatchObject({
      rows: [{ failing_since: null }],
    });
  });

  test("whose secret was rotated is signed with both for a day, then with the new one alone", async () => {
    const receiver = receive(ok);
    const { endpoint, secret } = await fixture.webhook(orgId, receiver.url);
    const rotated = await fixture.outbox.endpoints.rotate(fixture.database.db.pool, {
      orgId,
      id: endpoint.id,
    });
    await fixture.event(orgId);
    await fixture.deliverDue();
    await fixture.database.advanceClock(DAY_MS + 1);
    await fixture.event(orgId);
    await fixture.deliverDue();
    const verifies = (by: string | null | undefined, at: number) => {
      const { body = "", headers = new Headers() } = receiver.got[at] ?? {};
      try {
        return new Webhook(by ?? "").verify(body, Object.fromEntries(headers.entries())) !== null;
      } catch {
        return false;
      }
    };
    expect([verifies(secret, 0), verifies(rotated?.secret, 0)]).toEqual([true, true]);
    expect([verifies(secret, 1), verifies(rotated?.secret, 1)]).toEqual([false, true]);
  });

  test("gets only the types that it asked for, and nothing of another organization", async () => {
    const receiver = receive(ok);
    await fixture.webhook(orgId, receiver.url, ["key.created"]);
    await fixture.event(orgId, "video.failed");
    await fixture.event(await fixture.found(), "key.created");
    await fixture.event(orgId, "key.created");
    await fixture.deliverDue();
    expect(receiver.got.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "key.created", organization_id: orgId },
    ]);
  });

  test("that redirects is not followed, and that never answers is given up after its time", async () => {
    const inside = receive(ok);
    const redirecting = receive(() => Response.redirect(inside.url, 307));
    const silent = receive(() => new Promise<Response>(() => {}));
    const [first, second] = [
      await fixture.webhook(orgId, redirecting.url),
      await fixture.webhook(orgId, silent.url),
    ];
    await fixture.event(orgId);
    await fixture.deliverDue();
    expect(inside.got).toEqual([]);
    expect(await deliveries(first.endpoint.id)).toMatchObject([{ httpStatus: 307, problem: "status" }]);
    expect(await deliveries(second.endpoint.id)).toMatchObject([{ httpStatus: null, problem: "timeout" }]);
  });

  test("inside is not reached by a gateway that others can reach, whatever was registered before", async () => {
    const receiver = receive(ok);
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId);
    await fixture.deliverDue(fixture.open({ isLocal: false }));
    expect(receiver.got).toEqual([]);
    expect(await deliveries(endpoint.id)).toMatchObject([{ problem: "address" }]);
  });

  test("that refuses one event gets the others", async () => {
    const receiver = receive(
      ({ body }) => new Response(null, { status: body.includes('"bad"') ? 500 : 200 }),
    );
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    for (const name of ["a", "bad", "b", "c"]) await fixture.event(orgId, "key.created", { name });
    await fixture.deliverDue();
    expect((await deliveries(endpoint.id)).map(({ status }) => status).toSorted()).toEqual([
      "delivered",
      "delivered",
      "delivered",
      "waiting",
    ]);
  });

  test("that fails for three days is paused, and its owners are told by email", async () => {
    const receiver = receive(() => new Response(null, { status: 500 }));
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId);
    for (let hour = 0; hour < 3 * 24; hour += 0.5) {
      await fixture.deliverDue();
      await fixture.database.advanceClock(HOUR_MS / 2);
    }
    expect(receiver.got).toHaveLength(10);
    await fixture.deliverDue();
    expect(await deliveries(endpoint.id)).toMatchObject([{ status: "failed", attempts: 10 }]);
    expect(await fixture.outbox.endpoints.list(fixture.database.db.pool, orgId)).toMatchObject([
      { id: endpoint.id, pausedAt: expect.any(Date) },
      { kind: "owners" },
    ]);
    expect(fixture.emails.map(({ to }) => to)).toEqual([`owner@${orgId}.com`, `admin@${orgId}.com`]);
    expect(fixture.emails[0]?.subject).toContain("accepted nothing for days and was paused");
    await fixture.event(orgId);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(10);
  });

  test("gets an event again when it is replayed, alone or with all since a time", async () => {
    const receiver = receive(ok);
    const { endpoint } = await fixture.webhook(orgId, receiver.url, ["video.completed"]);
    await fixture.event(orgId);
    await fixture.deliverDue();
    await fixture.event(orgId);
    await fixture.event(orgId, "video.failed");
    await fixture.deliverDue();
    const { pool } = fixture.database.db;
    const { endpoints } = fixture.outbox;
    const ref = { orgId, id: endpoint.id };
    const eventId = receiver.got[0]?.headers.get("webhook-id") ?? "";
    expect(await endpoints.replay(pool, ref, { eventId })).toBe(1);
    await fixture.deliverDue();
    expect(
      receiver.got.map(({ headers }) => headers.get("webhook-id")).filter((id) => id === eventId),
    ).toHaveLength(2);
    expect(await endpoints.replay(pool, ref, { since: new Date(Date.now() - DAY_MS) })).toBe(2);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(5);
    const foreign = { orgId: await fixture.found(), id: endpoint.id };
    expect(await endpoints.replay(pool, foreign, { eventId })).toBe(0);
  });

  test("is sent a test event, which no other endpoint gets", async () => {
    const [one, other] = [receive(ok), receive(ok)];
    const { endpoint } = await fixture.webhook(orgId, one.url, ["key.created"]);
    await fixture.webhook(orgId, other.url);
    await fixture.outbox.endpoints.test(fixture.database.db.pool, { orgId, id: endpoint.id });
    await fixture.deliverDue();
    expect(one.got.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.test"]);
    expect(other.got).toEqual([]);
  });
});

describe("a delivery", () => {
  test("whose node dies is made by another once the lease has ended, not before", async () => {
    const receiver = receive(ok);
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId);
    await fixture.outbox.fanOut();
    expect(await fixture.outbox.claim("web", [9, 9, 9])).toHaveLength(1);
    const other = fixture.open();
    await fixture.deliverDue(other);
    expect(receiver.got).toEqual([]);
    await fixture.database.advanceClock(MINUTE_MS + 1);
    await fixture.deliverDue(other);
    expect(await deliveries(endpoint.id)).toMatchObject([{ status: "delivered" }]);
  });

  test("is finished by whoever has it, and by nobody who had it before", async () => {
    const receiver = receive(() => new Response(null, { status: 500 }));
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId);
    await fixture.outbox.fanOut();
    const [late] = await fixture.outbox.claim("web", [9, 9, 9]);
    await fixture.database.advanceClock(MINUTE_MS + 1);
    const [current] = await fixture.outbox.claim("web", [9, 9, 9]);
    if (!late || !current) throw new Error("two claims");
    await fixture.outbox.deliver(late, new AbortController().signal);
    expect(await deliveries(endpoint.id)).toMatchObject([{ attempts: 0 }]);
    await fixture.outbox.deliver(current, new AbortController().signal);
    expect(await deliveries(endpoint.id)).toMatchObject([{ attempts: 1 }]);
  });

  test("is made once by two nodes that look at the same time", async () => {
    const receiver = receive(ok);
    await fixture.webhook(orgId, receiver.url);
    for (let n = 0; n < 40; n++) await fixture.event(orgId, "key.created", { n });
    const other = fixture.open();
    for (let round = 0; round < 10; round++)
      await Promise.all([fixture.deliverDue(), fixture.deliverDue(other)]);
    const ids = receiver.got.map(({ headers }) => headers.get("webhook-id"));
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  test("waits while its organization is inactive", async () => {
    const receiver = receive(ok);
    await fixture.webhook(orgId, receiver.url);
    await fixture.event(orgId);
    await fixture.outbox.fanOut();
    const { pool } = fixture.database.db;
    await pool.query("update organization set active = false where id = $1", [orgId]);
    await fixture.deliverDue();
    expect(receiver.got).toEqual([]);
    await pool.query("update organization set active = true where id = $1", [orgId]);
    await fixture.deliverDue();
    expect(receiver.got).toHaveLength(1);
  });

  test("that was sealed with a secret that is lost fails, and says so", async () => {
    const receiver = receive(ok);
    const { endpoint } = await fixture.webhook(orgId, receiver.url);
    await fixture.database.db.pool.query("update endpoints set secret = address where id = $1", [
      endpoint.id,
    ]);
    await fixture.database.db.pool.query("update endpoints set address = 'AAAA' where id = $1", [
      endpoint.id,
    ]);
    await fixture.event(orgId);
    await fixture.deliverDue();
    expect(await deliveries(endpoint.id)).toMatchObject([{ problem: "sealed" }]);
  });
});

test("Slack gets one sentence, in which a name can be neither a link nor a mention", async () => {
  const receiver = receive(ok);
  const { pool } = fixture.database.db;
  const made = await fixture.outbox.endpoints.create(pool, {
    orgId,
    kind: "slack",
    address: receiver.url,
    types: ["key.created"],
  });
  expect(made).toMatchObject({ secret: null });
  await fixture.event(orgId, "key.created", { name: "<!channel> https://evil.example" });
  await fixture.deliverDue();
  expect(receiver.got.map(({ body }) => JSON.parse(body))).toEqual([
    { text: "The key &lt;!channel&gt; https evil example of Acme was created." },
  ]);
});
