import { z } from "zod";
import type { OrderRecord, PaidSubscription } from "../billing/index.ts";
import { type Credits, credits } from "../kit/index.ts";
import { type ActIn, defineOperation, serving } from "./operation.ts";
import { noSuch } from "./problem.ts";

const ORDERS_SHOWN = 20;
const MICROS_PER_CENT = 10_000n;
const TERMS = { usd: z.number(), monthlyCredits: z.int() };

const ORDER = z
  .object({
    id: z.string(),
    createdAt: z.string(),
    kind: z.enum(["pack", "plan"]),
    item: z.string().describe("name of the pack or plan"),
    credits: z.int().describe("of the pack, or per month of the plan"),
    usd: z.number(),
    refundedUsd: z.number(),
    status: z.enum(["open", "paid", "expired", "refunded", "disputed"]),
    isTest: z.boolean().describe("paid on the marked test page: no money was involved"),
  })
  .meta({ id: "Order" });

const BILLING = z
  .object({
    balance: z.object({
      subscription: z.int(),
      anytime: z.int(),
      held: z.int(),
      debt: z.int().describe("always 0 for members"),
      worthUsd: z.number().describe("value of the credits that can be spent now"),
      subscriptionExpiresAt: z.string().nullable(),
    }),
    plan: z.string(),
    renewsAt: z.string().nullable().describe("when the next month's credits arrive; null if none will"),
    paidBy: z
      .enum(["stripe", "test", "schedule"])
      .describe("`schedule`: credits come by themselves, as agreed with the operator"),
    paid: z
      .object(TERMS)
      .nullable()
      .describe("what each month costs and brings, as it was when ordered; null if nobody pays"),
    endsAt: z
      .string()
      .nullable()
      .describe("when the plan falls back to the free one; null while it continues"),
    nextPlan: z.string().nullable().describe("the plan that replaces it when the next month begins"),
    paymentFailed: z
      .object({ payUrl: z.string().nullable() })
      .nullable()
      .describe("set if the last payment failed; where it can be paid by hand"),
    hasPortal: z.boolean(),
    plans: z.array(
      z.object({
        name: z.string(),
        ...TERMS,
        requestsPerMinute: z.int(),
        inFlight: z.int(),
        videoJobs: z.int(),
        change: z
          .enum(["checkout", "later", "now", "stay", "same", "arranged", "off"])
          .describe(
            "what choosing it would do: `checkout` starts once it is paid, `later` when the paid month is over, `now` at once, `stay` cancels the pending change; the others do nothing",
          ),
      }),
    ),
    packs: z.array(z.object({ name: z.string(), usd: z.number(), credits: z.int() })),
    orders: z.array(ORDER).describe("the newest; empty for members"),
    buyers: z
      .array(z.object({ name: z.string(), email: z.string() }))
      .describe("owners and admins, whom a member can ask to buy"),
  })
  .meta({ id: "Billing" });

const getBilling = defineOperation({
  name: "billing.get",
  area: "billing",
  access: "read",
  place: "organization",
  who: "member",
  rest: ["GET /organizations/{org}/billing"],
  input: z.strictObject({}),
  output: BILLING,
  words: { about: "Show balance, plan, what is for sale and what was ordered." },
  async run(act): Promise<z.input<typeof BILLING>> {
    const { organization, standing, services } = act;
    const { payments } = serving(act);
    const mayPay = standing !== "member";
    const [account, { state, subscription }, orders, buyers] = await Promise.all([
      services.ledger.account(organization.id),
      payments.planState(organization.id),
      mayPay ? payments.orders(organization.id, ORDERS_SHOWN) : [],
      payments.buyers(organization.id),
    ]);
    // Without a subscription, from all plans, not only those on offer: the operator may assign others.
    const monthly = (subscription ?? services.catalog.plans.get(organization.plan))?.monthlyCredits ?? 0;
    const endsAt = subscription?.endsAt ?? null;
    const spendable = credits(account.subscriptionAvailable + account.anytimeAvailable);
    return {
      balance: {
        subscription: account.subscriptionAvailable,
        anytime: account.anytimeAvailable,
        held: account.subscriptionHeld + account.anytimeHeld,
        debt: mayPay ? account.debt : 0,
        worthUsd: worthCents(spendable, services.creditMicroUsd) / 100,
        subscriptionExpiresAt: account.period?.endsAt.toISOString() ?? null,
      },
      plan: organization.plan,
      renewsAt: monthly > 0 && endsAt === null && state ? state.renewsAt.toISOString() : null,
      paidBy: subscription ? "stripe" : payments.mode === "test" ? "test" : "schedule",
      paid: subscription ? termsOf(subscription) : null,
      endsAt: endsAt?.toISOString() ?? null,
      nextPlan: subscription?.next?.plan ?? null,
      paymentFailed:
        mayPay && subscription?.state === "past_due" ? { payUrl: linkOf(subscription.payUrl) } : null,
      hasPortal: mayPay && payments.mode === "stripe" && subscription !== undefined,
      plans: payments.plans.map((plan) => ({
        name: plan.name,
        ...termsOf(orderedOf(subscription, plan.name) ?? { ...plan, amountCents: plan.usdCents }),
        requestsPerMinute: plan.requestsPerMinute,
        inFlight: plan.inFlight,
        videoJobs: plan.videoJobs,
        change: payments.planChange({ plan: organization.plan, paid: subscription }, plan),
      })),
      packs: payments.packs.map((pack) => ({
        name: pack.name,
        usd: pack.usdCents / 100,
        credits: pack.credits,
      })),
      orders: orders.map(orderRow),
      buyers: buyers.map((buyer) => ({ name: buyer.name, email: buyer.email })),
    };
  },
});

/** In whole cents, rounded down. BigInt, since a large balance times its value exceeds what a double holds. */
export function worthCents(amount: Credits, creditMicroUsd: number): number {
  return Number((BigInt(amount) * BigInt(creditMicroUsd)) / MICROS_PER_CENT);
}

/** What was ordered is what is collected, even if the catalog has changed since. */
function orderedOf(subscription: PaidSubscription | undefined, plan: string) {
  return [subscription, subscription?.next].find((ordered) => ordered?.plan === plan);
}

function termsOf({ amountCents, monthlyCredits }: { amountCents: number; monthlyCredits: number }) {
  return { usd: amountCents / 100, monthlyCredits };
}

/** Checked although it comes from Stripe, because it becomes a link on our page. */
function linkOf(url: string | null): string | null {
  return url?.startsWith("https://") ? url : null;
}

function orderRow(order: OrderRecord): z.input<typeof ORDER> {
  const isRefunded = order.refundedCents >= order.amountCents * Math.max(1, order.payments);
  return {
    id: order.id,
    createdAt: order.createdAt.toISOString(),
    kind: order.kind,
    item: order.item,
    credits: order.credits,
    usd: order.amountCents / 100,
    refundedUsd: order.refundedCents / 100,
    status: order.disputedCents > 0 ? "disputed" : isRefunded ? "refunded" : order.status,
    isTest: order.provider === "test",
  };
}

/** Limited to this organization: an order of another one answers as if it did not exist. */
export async function findOrder(act: ActIn, id: string): Promise<OrderRecord> {
  const order = await serving(act).payments.order(act.organization.id, id, act.services.db);
  if (!order) throw noSuch("order");
  return order;
}

const getOrder = defineOperation({
  name: "order.get",
  area: "billing",
  access: "read",
  place: "organization",
  who: "admin",
  rest: ["GET /organizations/{org}/orders/{id}"],
  input: z.strictObject({ id: z.string().describe("the order's id") }),
  output: ORDER,
  words: { about: "Show one order." },
  run: async (act, { id }) => orderRow(await findOrder(act, id)),
});

const CURSOR = /^[1-9]\d{0,14}$/;
const TYPE = z.enum(["grant", "charge", "expire", "adjust"]);
const POOL = z.enum(["subscription", "anytime"]);

/** A cursor is the number of an entry: within one organization it reveals nothing, and it cannot reach another one. */
const listEntries = defineOperation({
  name: "ledger.list",
  area: "billing",
  access: "read",
  place: "organization",
  who: "admin",
  rest: ["GET /organizations/{org}/ledger"],
  input: z.strictObject({
    cursor: z
      .string()
      .regex(CURSOR, "This page link is no longer valid. Reload the list.")
      .optional()
      .describe("`next_cursor` of the previous page"),
    limit: z.int().min(1).max(200).optional(),
    pool: POOL.optional(),
    type: TYPE.optional(),
  }),
  output: z
    .object({
      rows: z.array(
        z
          .object({
            id: z.string(),
            createdAt: z.string(),
            type: TYPE,
            pool: POOL,
            amount: z.int(),
            balanceAfter: z.int(),
            requestId: z.string().nullable(),
            description: z.string(),
          })
          .meta({ id: "LedgerEntry" }),
      ),
      nextCursor: z.string().nullable(),
    })
    .meta({ id: "LedgerEntries" }),
  words: { about: "List the entries of the ledger, newest first." },
  async run(act, { cursor, limit = 50, pool, type }) {
    const page = await serving(act).payments.statement({
      orgId: act.organization.id,
      beforeSeq: cursor === undefined ? null : Number(cursor),
      limit,
      pool: pool ?? null,
      type: type ?? null,
    });
    return {
      rows: page.entries.map(({ seq, createdAt, ...entry }) => ({
        id: String(seq),
        createdAt: createdAt.toISOString(),
        ...entry,
      })),
      nextCursor: page.nextBeforeSeq === null ? null : String(page.nextBeforeSeq),
    };
  },
});

export const BILLING_OPERATIONS = [getBilling, getOrder, listEntries] as const;
