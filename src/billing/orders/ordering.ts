import type { Plan } from "../../catalog/index.ts";
import type { Database } from "../../db/index.ts";
import { type Credits, newId } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { billingUrlFor } from "../billing-url.ts";
import type { StripeAccount } from "../stripe/stripe-account.ts";
import { loadPaidSubscription } from "../subscription-store.ts";
import { CURRENCY, type Order } from "./order.ts";
import { insertOrder, isOvertaken, loadOpenPlanOrders, saveCheckout, saveExpired } from "./store.ts";

export type Buyer = {
  readonly orgId: string;
  readonly userId: string;
  readonly email: string;
  /** The billing page, without a slash at its end: where the payer comes back to. */
  readonly billingUrl: string;
};

type Item = {
  readonly kind: "pack" | "plan";
  readonly name: string;
  readonly usdCents: number;
  readonly credits: Credits;
};

export function planItem({ name, usdCents, monthlyCredits }: Plan): Item {
  return { kind: "plan", name, usdCents, credits: monthlyCredits };
}

/**
 * unknown: nothing of that name is sold. off: nothing can be paid here. too_many: within the hour. on_its_way: a plan was
 * paid, and its report has not come yet. overtaken: another plan was ordered while this one's checkout was opened.
 */
export type Ordered =
  | { readonly outcome: "ok"; readonly url: string }
  | { readonly outcome: "unknown" | "off" | "too_many" | "unreachable" | "on_its_way" | "overtaken" };

/** arranged: the plan was given by the operator, and only they can take it back. */
export type PlanChanged = Ordered | { readonly outcome: "changed" | "same" | "arranged" };

export type Ordering = {
  /** Writes the order, then says where it is paid. */
  order(buyer: Buyer, item: Item): Promise<Ordered>;
  /** Only the row: for what is paid by an invoice that comes by itself. */
  record(buyer: Buyer, item: Item): Promise<Order | undefined>;
};

const MOST_PER_HOUR = 30;
const MOST_OPEN_PLANS = 10;

export function createOrdering(deps: {
  readonly db: Database;
  readonly log: Log;
  readonly mode: "stripe" | "test" | "none";
  readonly stripe: StripeAccount | null;
}): Ordering {
  const { db, log, stripe, mode } = deps;

  function record(buyer: Buyer, item: Item): Promise<Order | undefined> {
    const order = {
      id: newId(),
      orgId: buyer.orgId,
      orderedBy: buyer.userId,
      kind: item.kind,
      item: item.name,
      credits: item.credits,
      amountCents: item.usdCents,
      currency: CURRENCY,
      provider: stripe ? ("stripe" as const) : ("test" as const),
    };
    return insertOrder(db, order, MOST_PER_HOUR);
  }

  async function checkoutAt(account: StripeAccount, buyer: Buyer, order: Order): Promise<Ordered> {
    if (order.kind === "plan" && (await closeOpenPlans(account, order)) === "paid") {
      await saveExpired(db, order.id);
      return { outcome: "on_its_way" };
    }
    const known = await loadPaidSubscription(db, order.orgId);
    const back = billingUrlFor(buyer.billingUrl, order.orgId);
    const checkout = await account.createCheckout({
      order,
      title: titleOf(order),
      customerId: known?.customerId ?? null,
      email: buyer.email,
      successUrl: `${back}&order=${order.id}`,
      cancelUrl: `${back}&left=${order.id}`,
    });
    await saveCheckout(db, order.id, checkout.id);
    // Of two that are ordered at once, neither has seen the other's checkout.
    if (order.kind === "plan" && (await isOvertaken(db, order.id))) {
      await account.expireCheckout(checkout.id);
      await saveExpired(db, order.id);
      return { outcome: "overtaken" };
    }
    return { outcome: "ok", url: checkout.url };
  }

  /** Two plans that are paid in two windows would be two subscriptions. */
  async function closeOpenPlans(account: StripeAccount, order: Order): Promise<"closed" | "paid"> {
    let result: "closed" | "paid" = "closed";
    for (const open of await loadOpenPlanOrders(db, order.orgId, MOST_OPEN_PLANS)) {
      if (open.id === order.id || open.checkoutId === null) continue;
      const became = await account.expireCheckout(open.checkoutId);
      if (became === "expired") await saveExpired(db, open.id);
      if (became === "paid") result = "paid";
    }
    return result;
  }

  return {
    record,
    async order(buyer, item) {
      if (mode === "none") return { outcome: "off" };
      const order = await record(buyer, item);
      if (!order) return { outcome: "too_many" };
      if (!stripe) return { outcome: "ok", url: `${buyer.billingUrl}/checkout/${order.id}` };
      try {
        return await checkoutAt(stripe, buyer, order);
      } catch (error) {
        // Nobody was given its address, so nobody can pay it.
        await saveExpired(db, order.id);
        log.error("checkout_not_opened", { order_id: order.id, error: describe(error) });
        return { outcome: "unreachable" };
      }
    },
  };
}

/** What the payer reads. */
export function titleOf({ kind, item, credits }: Pick<Order, "kind" | "item" | "credits">): string {
  const amount = credits.toLocaleString("en-US");
  return kind === "pack" ? `${amount} anytime credits` : `Plan ${item}: ${amount} credits a month`;
}

/** Stripe's own words may repeat what was sent to it: its kind of error is enough. */
export function describe(error: unknown): string {
  const { type, code, name } = error as { type?: string; code?: string; name?: string };
  return [type ?? name ?? "unknown", code ?? ""].filter(Boolean).join(" ");
}
