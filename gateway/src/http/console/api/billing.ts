import { z } from "zod";
import {
  billingUrl,
  billingUrlFor,
  type OrderRecord,
  type PaidSubscription,
  type PlanChanged,
} from "../../../billing/index.ts";
import { credits } from "../../../kit/index.ts";
import type { BillingView, OrderRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Viewer } from "../viewer.ts";
import { worthCents } from "./credits-worth.ts";
import type { Command, Query } from "./operation.ts";
import { busy, type ConsoleProblem, conflict, forbidden, invalidInput, noSuch } from "./problem.ts";

const ORDERS_SHOWN = 20;
const MOST_PACKS = 20;
const nothing = z.strictObject({});
const name = z.string().max(100);

export function billingQuery({ payments, ledger, catalog, config }: ConsoleParts): Query<"billing"> {
  return {
    who: "member",
    input: nothing,
    async run({ viewer }): Promise<BillingView> {
      const { organization, role } = viewer;
      const mayPay = role !== "member";
      const [account, { state, subscription }, orders, buyers] = await Promise.all([
        ledger.account(organization.id),
        payments.planState(organization.id),
        mayPay ? payments.orders(organization.id, ORDERS_SHOWN) : [],
        payments.buyers(organization.id),
      ]);
      // Without a subscription, from all plans, not only those on offer: the operator may assign others.
      const monthly = (subscription ?? catalog.plans.get(organization.plan))?.monthlyCredits ?? 0;
      const endsAt = subscription?.endsAt ?? null;
      const spendable = credits(account.subscriptionAvailable + account.anytimeAvailable);
      return {
        balance: {
          subscription: account.subscriptionAvailable,
          anytime: account.anytimeAvailable,
          held: account.subscriptionHeld + account.anytimeHeld,
          debt: mayPay ? account.debt : 0,
          worthUsd: worthCents(spendable, config.creditMicroUsd) / 100,
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
        buyers,
      };
    },
  };
}

/** What was ordered is what is collected, even if the catalog has changed since. */
function orderedOf(subscription: PaidSubscription | undefined, plan: string) {
  return [subscription, subscription?.next].find((ordered) => ordered?.plan === plan);
}

function termsOf({ amountCents, monthlyCredits }: { amountCents: number; monthlyCredits: number }) {
  return { usd: amountCents / 100, monthlyCredits };
}

/** Limited to this organization: an order of another one answers as if it did not exist. */
export function orderQuery({ payments }: ConsoleParts): Query<"order"> {
  return {
    who: "admin",
    input: z.strictObject({ id: z.string() }),
    async run({ viewer }, { id }) {
      const order = await payments.order(viewer.organization.id, id);
      if (!order) throw noSuch("order");
      return orderRow(order);
    },
  };
}

export function buyPacksCommand(parts: ConsoleParts): Command<"buy-packs"> {
  return {
    who: "admin",
    input: z.strictObject({ packs: z.array(name).min(1).max(MOST_PACKS) }),
    async run({ viewer }, { packs }) {
      const ordered = await parts.payments.buyPacks(buyerOf(parts, viewer), packs);
      if (ordered.outcome !== "ok") throw refusal(ordered.outcome, "packs");
      return { url: ordered.url };
    },
  };
}

/** A plan commits the organization every month, so only owners choose it. */
export function changePlanCommand(parts: ConsoleParts): Command<"change-plan"> {
  return {
    who: "owner",
    input: z.strictObject({ plan: name }),
    async run({ viewer }, { plan }) {
      const buyer = { ...buyerOf(parts, viewer), plan: viewer.organization.plan };
      const changed = await parts.payments.changePlan(buyer, plan);
      if (changed.outcome === "ok") return { url: changed.url };
      if (changed.outcome === "changed") return { url: null };
      throw refusal(changed.outcome, "plan");
    },
  };
}

export function payTestOrderCommand({ payments }: ConsoleParts): Command<"pay-test-order"> {
  return {
    who: "admin",
    input: z.strictObject({ id: z.string() }),
    async run({ viewer }, { id }) {
      refuseInactive(viewer);
      const order = await payments.order(viewer.organization.id, id);
      if (order?.kind === "plan" && viewer.role !== "owner") throw forbidden("Only owners may do that.");
      if (!order || (await payments.payTestOrder(viewer.organization.id, id)) === "unknown") {
        throw noSuch("order");
      }
      return {};
    },
  };
}

export function managePaymentsCommand(parts: ConsoleParts): Command<"manage-payments"> {
  return {
    who: "admin",
    input: nothing,
    async run({ viewer }) {
      const { id } = viewer.organization;
      const url = await parts.payments
        .openPortal(id, billingUrlFor(billingUrl(parts.config.publicUrl), id))
        .catch((error: unknown) => {
          parts.log.error("portal_not_opened", { org_id: id, error });
          throw busy(
            "Stripe could not be reached, so card and invoices cannot be shown. Try again in a moment.",
            10,
          );
        });
      if (url === null) throw noSuch("payment");
      return { url };
    },
  };
}

/** Checked although it comes from Stripe, because it becomes a link on our page. */
function linkOf(url: string | null): string | null {
  return url?.startsWith("https://") ? url : null;
}

function refuseInactive({ organization }: Viewer): void {
  if (organization.active) return;
  throw forbidden("This organization is not active, so nothing can be bought for it.");
}

function buyerOf(parts: ConsoleParts, viewer: Viewer) {
  refuseInactive(viewer);
  const { organization, session } = viewer;
  const { userId, email } = session;
  return { orgId: organization.id, userId, email, billingUrl: billingUrl(parts.config.publicUrl) };
}

function refusal(
  outcome: Exclude<PlanChanged["outcome"], "ok" | "changed">,
  what: "packs" | "plan",
): ConsoleProblem {
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

function orderRow(order: OrderRecord): OrderRow {
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
