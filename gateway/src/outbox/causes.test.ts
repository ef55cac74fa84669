import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createPaymentFixture, type PaymentFixture } from "../billing/stripe/payments-testing.ts";
import { DAY_MS, newId } from "../kit/index.ts";

let shop: PaymentFixture;
let orgId: string;
beforeAll(async () => {
  shop = await createPaymentFixture();
});
afterAll(() => shop.close());
beforeEach(async () => {
  orgId = await shop.found();
});

async function query(text: string, values: unknown[] = []) {
  return (await shop.database.db.pool.query(text, values)).rows;
}

async function events(): Promise<[string, object][]> {
  const rows = await query("select type, data from events where org_id = $1 order by created_at, id", [
    orgId,
  ]);
  return rows.map(({ type, data }) => [type, data]);
}

async function insertKey(isInternal = false): Promise<string> {
  const id = newId();
  await query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, internal)
     values ($1, $2, 'ci', sha256($3), 'abcd', '{chat}', $4)`,
    [id, orgId, id, isInternal],
  );
  return id;
}

describe("an event is written for", () => {
  test("a key that is created, rotated or revoked, and not for its use or the console's own", async () => {
    await insertKey(true);
    const key_id = await insertKey();
    await query("update api_keys set last_used_at = bursar_now() where id = $1", [key_id]);
    await query("update api_keys set secret_hash = sha256('new'), last_four = 'efgh' where id = $1", [
      key_id,
    ]);
    for (let n = 0; n < 2; n++)
      await query("update api_keys set revoked_at = coalesce(revoked_at, bursar_now()) where id = $1", [
        key_id,
      ]);
    const data = { key_id, name: "ci" };
    expect(await events()).toEqual([
      ["key.created", data],
      ["key.rotated", data],
      ["key.revoked", data],
    ]);
  });

  test("a member who is invited, joins, gets another role and leaves", async () => {
    const [owner, user_id, invitation_id] = [newId(), newId(), newId()];
    for (const id of [owner, user_id])
      await query(`insert into "user" (id, name, email) values ($1, 'Ada', $2)`, [id, `${id}@example.com`]);
    await query(
      `insert into invitation (id, "organizationId", email, role, "expiresAt", "inviterId")
       values ($1, $2, 'ada@example.com', 'member', bursar_now(), $3)`,
      [invitation_id, orgId, owner],
    );
    await query(`insert into member ("organizationId", "userId", role) values ($1, $2, 'member')`, [
      orgId,
      user_id,
    ]);
    for (let n = 0; n < 2; n++)
      await query(`update member set role = 'admin' where "userId" = $1`, [user_id]);
    await query(`delete from member where "userId" = $1`, [user_id]);
    expect(await events()).toEqual([
      ["member.invited", { invitation_id, role: "member" }],
      ["member.added", { user_id, role: "member" }],
      ["member.role_changed", { user_id, role: "admin" }],
      ["member.removed", { user_id, role: "admin" }],
    ]);
  });

  test("a plan that is paid, fails to be paid once, is paid again and ends", async () => {
    const session = await shop.order(orgId, { plan: "pro" });
    await shop.deliver(...shop.stripe.pay(session));
    const subscriptionId = String(shop.stripe.sessions.get(session)?.subscription);
    const [order] = await query("select id from payment_orders where org_id = $1", [orgId]);
    const order_id = order?.["id"];
    const paid = { payment_id: expect.any(String), order_id, credits: 50_000, amount_cents: 4_900 };
    expect((await events()).toSorted()).toEqual([
      ["payment.succeeded", paid],
      ["plan.changed", { plan: "pro" }],
      ["plan.started", { order_id }],
    ]);
    await shop.advance(31 * DAY_MS);
    const failed = shop.stripe.renew(subscriptionId, "failed");
    await shop.deliver(...failed, ...failed);
    expect((await events()).slice(3)).toEqual([["payment.failed", { order_id }]]);
    await shop.deliver(...shop.stripe.renew(subscriptionId));
    expect((await events()).slice(4)).toEqual([["payment.succeeded", paid]]);
    await shop.deliver(...shop.stripe.update(subscriptionId, { status: "canceled" }));
    expect((await events()).slice(5).toSorted()).toEqual([
      ["plan.changed", { plan: "free" }],
      ["plan.ended", { order_id }],
    ]);
  });

  test("credits that a refund or a dispute takes back, once", async () => {
    for (const kind of ["refund", "dispute"] as const) {
      const session = await shop.order(orgId, { pack: "small" });
      await shop.deliver(...shop.stripe.pay(session));
      const intent = shop.stripe.sessions.get(session)?.payment_intent ?? "";
      const reports =
        kind === "refund"
          ? shop.stripe.refund(intent, 500, 1_000)
          : shop.stripe.dispute(`du_${newId()}`, intent, 500, "needs_response");
      await shop.deliver(...reports, ...reports);
      expect((await events()).slice(-2)).toMatchObject([
        ["payment.succeeded", { credits: 10_000, amount_cents: 1_000 }],
        [kind === "refund" ? "payment.refunded" : "payment.disputed", { credits: 5_000 }],
      ]);
    }
  });

  test("a video that is complete, and one that failed, once each", async () => {
    for (const status of ["complete", "failed"]) {
      const request_id = newId();
      await query(
        `insert into video_jobs (org_id, request_id, created_at, deadline_at, status, provider_status, endpoint, model,
           key_id, estimate, video_order, looks, failures, due_at)
         values ($1, $2, bursar_now(), bursar_now(), 'processing', 'queued', 'video', 'small', $2, 1, '{}', 0, 0, bursar_now())`,
        [orgId, request_id],
      );
      await query("update video_jobs set provider_status = 'running' where request_id = $1", [request_id]);
      await query(
        "update video_jobs set status = $2, ended_at = bursar_now(), video_order = null where request_id = $1",
        [request_id, status],
      );
      const asset = status === "complete" ? { asset_id: null } : {};
      expect((await events()).slice(-1)).toEqual([
        [
          status === "complete" ? "video.completed" : "video.failed",
          { request_id, model: "small", ...asset },
        ],
      ]);
    }
    expect(await events()).toHaveLength(2);
  });
});

test("what is rolled back leaves no event", async () => {
  const { db } = shop.database;
  const work = db.transaction(async (client) => {
    await client.query("update organization set plan = 'pro' where id = $1", [orgId]);
    throw new Error("rolled back");
  });
  await expect(work).rejects.toThrow("rolled back");
  expect(await events()).toEqual([]);
});

test("no event holds a secret", async () => {
  await insertKey();
  const text = JSON.stringify(await query("select * from events"));
  for (const word of ["hash", "secret", "last_four", "@", "http"]) expect(text).not.toContain(word);
});
