import type { Pack, Plan } from "../../catalog/index.ts";
import type { Database } from "../../db/index.ts";
import { type Credits, credits, newId } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { billingUrlFor } from "../billing-url.ts";
import { loadPaidSubscription } from "../subscription-store.ts";
import { type Checkouts, CURRENCY, type Order } from "./order.ts";
import { insertOrder, isOvertaken, loadOpenPlanOrders, saveCheckout, saveExpired } from "./store.ts";

export type Buyer = {
  readonly orgId: string;
  readonly userId: string;
  readonly email: string;
  /** The billing page, where the payer returns to; without a trailing slash. */
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

/** Named like the packs together, so that someone who comes back finds what they had chosen. */
export function packsItem(packs: readonly Pack[]): Item {
  const sum = (of: (pack: Pack) => number) => packs.reduce((total, pack) => total + of(pack), 0);
  const name = packs.map((pack) => pack.name).join("+");
  return {
    kind: "pack",
    name,
    usdCents: sum((pack) => pack.usdCents),
    credits: credits(sum((pack) => pack.credits)),
  };
}

/**
 * unknown: nothing of that name is for sale. off: payments are not set up. too_many: too many orders within the hour.
 * on_its_way: a plan was paid, but not reported yet. overtaken: another plan was ordered while the checkout was being
 * opened.
 */
export type Ordered =
  | { readonly outcome: "ok"; readonly url: string }
  | { readonly outcome: "unknown" | "off" | "too_many" | "unreachable" | "on_its_way" | "overtaken" };

/** arranged: the operator assigned the plan, and only they can change it. */
export type PlanChanged = Ordered | { readonly outcome: "changed" | "same" | "arranged" };

export type Ordering = {
  /** Writes the order, then returns the URL where it can be paid. */
  order(buyer: Buyer, item: Item): Promise<Ordered>;
  /** Writes the order only: for one that a future invoice will pay by itself. */
  record(buyer: Buyer, item: Item): Promise<Order | undefined>;
};

const MOST_PER_HOUR = 30;
const MOST_OPEN_PLANS = 10;

export function createOrdering(deps: {
  readonly db: Database;
  readonly log: Log;
  readonly mode: "stripe" | "test" | "none";
  readonly stripe: Checkouts | null;
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

  async function checkoutAt(account: Checkouts, buyer: Buyer, order: Order): Promise<Ordered> {
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
    // Two plans ordered at the same time do not see each other's checkout before this point.
    if (order.kind === "plan" && (await isOvertaken(db, order.id))) {
      await account.expireCheckout(checkout.id);
      await saveExpired(db, order.id);
      return { outcome: "overtaken" };
    }
    return { outcome: "ok", url: checkout.url };
  }

  /** Closes other open checkouts: plans paid in two windows would become two subscriptions. */
  async function closeOpenPlans(account: Checkouts, order: Order): Promise<"closed" | "paid"> {
    let result: "closed" | "paid" = "closed";
    for (const open of await loadOpenPlanOrders(db, order.orgId, MOST_OPEN_PLANS)) {
      // This order is one of these: its own checkout has not been opened yet.
      if (open.checkoutId === null) continue;
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
        // Nobody was given its URL, so nobody can pay it.
        await saveExpired(db, order.id);
        log.error("checkout_not_opened", { order_id: order.id, error: describe(error) });
        return { outcome: "unreachable" };
      }
    },
  };
}

/** The title that the payer sees. */
export function titleOf({ kind, item, credits }: Pick<Order, "kind" | "item" | "credits">): string {
  const amount = credits.toLocaleString("en-US");
  return kind === "pack" ? `${amount} anytime credits` : `Plan ${item}: ${amount} credits a month`;
}

/** Stripe's message may repeat what was sent to it, so only the type of the error is logged. */
export function describe(error: unknown): string {
  const { type, code, name } = error as { type?: string; code?: string; name?: string };
  return [type ?? name ?? "unknown", code ?? ""].filter(Boolean).join(" ");
}
