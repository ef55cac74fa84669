import { z } from "zod";
import {
  billingUrl,
  billingUrlFor,
  type OrderRecord,
  type PaidSubscription,
  type PlanChanged,
} from "../billing/index.ts";
import { type Credits, credits } from "../kit/index.ts";
import { type ActIn, type Change, defineOperation, serving } from "./operation.ts";
import { busy, conflict, forbidden, invalidInput, noSuch, type Refused } from "./problem.ts";

const ORDERS_SHOWN = 20;
const MOST_PACKS = 20;
const MICROS_PER_CENT = 10_000n;
const name = z.string().max(100);
const TERMS = { usd: z.number(), monthlyCredits: z.int() };

export const ORDER = z
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
async function findOrder(act: ActIn, id: string): Promise<OrderRecord> {
  const order = await serving(act).payments.order(act.organization.id, id);
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

/*
 * What is bought is written to the log first, and then ordered: the order's own row is written before anybody is sent
 * away to pay, and Stripe is never talked to inside a transaction.
 */

function refuseInactive({ organization }: ActIn): void {
  if (organization.active) return;
  throw forbidden("This organization is not active, so nothing can be bought for it.");
}

function buyerOf(act: ActIn) {
  refuseInactive(act);
  const { by, organization, services } = act;
  if (by.kind !== "person") throw forbidden("Only a person can buy.");
  return {
    orgId: organization.id,
    userId: by.id,
    email: by.email,
    billingUrl: billingUrl(services.publicUrl),
  };
}

function boughtOf({ organization }: ActIn, type: "pack" | "plan", item: string): Change {
  const object = { kind: "organization", id: organization.id, name: organization.name };
  return { object, before: null, after: { type, item } };
}

const buyPacks = defineOperation({
  name: "billing.buy",
  area: "billing",
  access: "write",
  place: "organization",
  who: "admin",
  rest: [],
  input: z.strictObject({ packs: z.array(name).min(1).max(MOST_PACKS) }),
  output: z.object({ url: z.string().describe("of the checkout") }),
  words: { about: "Order packs of credits." },
  async run(act, { packs }) {
    const { payments } = serving(act);
    const buyer = buyerOf(act);
    if (packs.some((wanted) => !payments.packs.some((pack) => pack.name === wanted)))
      throw refusalOf("unknown", "packs");
    return {
      changed: boughtOf(act, "pack", packs.join("+")),
      async afterwards() {
        const ordered = await payments.buyPacks(buyer, packs);
        if (ordered.outcome !== "ok") throw refusalOf(ordered.outcome, "packs");
        return { url: ordered.url };
      },
    };
  },
});

/** A plan commits the organization every month, so only owners choose it. */
const changePlan = defineOperation({
  name: "billing.change-plan",
  area: "billing",
  access: "write",
  place: "organization",
  who: "owner",
  rest: [],
  input: z.strictObject({ plan: name }),
  output: z.object({
    url: z.string().nullable().describe("of the checkout; null if nothing has to be paid now"),
  }),
  words: { about: "Choose a plan." },
  async run(act, { plan }) {
    const { payments } = serving(act);
    const buyer = { ...buyerOf(act), plan: act.organization.plan };
    if (!payments.plans.some((known) => known.name === plan)) throw refusalOf("unknown", "plan");
    return {
      changed: boughtOf(act, "plan", plan),
      async afterwards() {
        const changed = await payments.changePlan(buyer, plan);
        if (changed.outcome === "ok") return { url: changed.url };
        if (changed.outcome === "changed") return { url: null };
        throw refusalOf(changed.outcome, "plan");
      },
    };
  },
});

const payTestOrder = defineOperation({
  name: "order.pay-test",
  area: "billing",
  access: "write",
  place: "organization",
  who: "admin",
  rest: [],
  input: z.strictObject({ id: z.string() }),
  output: z.object({}),
  words: { about: "Pay an order on the marked test page." },
  async run(act, { id }) {
    refuseInactive(act);
    const { payments } = serving(act);
    const order = await findOrder(act, id);
    if (order.kind === "plan" && act.standing === "admin") throw forbidden("Only owners may do that.");
    if (order.provider !== "test" || payments.mode !== "test") throw noSuch("order");
    const object = { kind: "order", id: order.id, name: order.item };
    return {
      output: {},
      changed: { object, before: null, after: { type: order.kind, item: order.item } },
      async afterwards() {
        if ((await payments.payTestOrder(act.organization.id, id)) === "unknown") throw noSuch("order");
      },
    };
  },
});

const openPortal = defineOperation({
  name: "billing.portal",
  area: "billing",
  access: "write",
  place: "organization",
  who: "admin",
  rest: [],
  input: z.strictObject({}),
  output: z.object({ url: z.string().describe("of the customer's page at Stripe: card, invoices") }),
  words: { about: "Open the customer's page at Stripe." },
  async run(act) {
    const { id, name: of } = act.organization;
    const { log, publicUrl } = act.services;
    return {
      changed: { object: { kind: "organization", id, name: of }, before: null, after: null },
      async afterwards() {
        const url = await serving(act)
          .payments.openPortal(id, billingUrlFor(billingUrl(publicUrl), id))
          .catch((error: unknown) => {
            log.error("portal_not_opened", { org_id: id, error });
            throw busy(
              "Stripe could not be reached, so card and invoices cannot be shown. Try again in a moment.",
              10,
            );
          });
        if (url === null) throw noSuch("payment");
        return { url };
      },
    };
  },
});

function refusalOf(
  outcome: Exclude<PlanChanged["outcome"], "ok" | "changed">,
  what: "packs" | "plan",
): Refused {
  switch (outcome) {
    case "unknown":
      return invalidInput(what, `There is no such ${what === "packs" ? "pack" : what}.`);
    case "off":
      return conflict("Payments are not set up here: ask whoever runs this Bursar.");
    case "too_many":
      return busy("Too many orders were started in the last hour. Pay one of them, or try again later.", 600);
    case "unreachable":
      return busy("Stripe could not be reached, and nothing was bought. Try again in a moment.", 10);
    case "on_its_way":
      return conflict("A payment for a plan is still being processed. Wait until it appears here.");
    case "overtaken":
      return conflict("Another plan was ordered at the same moment. Continue with that order.");
    case "same":
      return conflict("You are already on that plan.");
    case "arranged":
      return conflict("Your plan was set by whoever runs this Bursar. Ask them to change it.");
  }
}

export const BILLING_OPERATIONS = [
  getBilling,
  getOrder,
  listEntries,
  buyPacks,
  changePlan,
  payTestOrder,
  openPortal,
] as const;
