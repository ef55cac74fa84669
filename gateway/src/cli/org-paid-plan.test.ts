import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../kit/index.ts";
import { type CliHarness, createCliHarness } from "./testing.ts";

const END = "2031-05-01T10:00:00.000Z";

let cli: CliHarness;
beforeAll(async () => {
  cli = await createCliHarness();
});
afterAll(() => cli.drop());

async function foundPaying(): Promise<string> {
  const { id } = (await cli.json("org", "create", "--name", "Acme", "--plan", "pro")) as { id: string };
  const orderId = newId();
  const { pool } = cli.database.db;
  await pool.query(
    `insert into payment_orders (id, org_id, created_at, ordered_by, kind, item, credits, amount_cents, currency, provider)
     values ($1, $2, bursar_now(), $1, 'plan', 'pro', 50000, 4900, 'usd', 'stripe')`,
    [orderId, id],
  );
  await pool.query(
    "insert into paid_subscriptions (org_id, id, customer_id, order_id) values ($1, $2, 'cus_1', $3)",
    [id, `sub_${id}`, orderId],
  );
  return id;
}

test("org update says when a paid plan ends as the organization becomes inactive and active again", async () => {
  const id = await foundPaying();
  const off = await cli.run("org", "update", "--org", id, "--active", "false");
  expect(off.out).toContain("The pro plan, which is paid through Stripe, ends with the month that was paid.");
  await cli.database.db.pool.query("update paid_subscriptions set ends_at = $2 where org_id = $1", [id, END]);
  const on = await cli.run("org", "update", "--org", id, "--active", "true");
  expect(on.out).toContain(
    "ends on 2031-05-01 10:00 UTC. An owner can choose to stay with it under Billing.",
  );
  expect(await cli.json("org", "update", "--org", id, "--active", "true")).toMatchObject({
    paid_plan: "pro",
    paid_plan_ends_at: END,
  });
});

test("org update says nothing about a paid plan that continues, or about a free one", async () => {
  const id = await foundPaying();
  const paying = await cli.run("org", "update", "--org", id, "--active", "true");
  expect(paying.out).not.toContain("Stripe");
  const free = (await cli.json("org", "create", "--name", "Free")) as { id: string };
  expect(await cli.json("org", "update", "--org", free.id, "--active", "false")).toMatchObject({
    paid_plan: null,
    paid_plan_ends_at: null,
  });
});
