import { z } from "zod";
import { billingUrl, billingUrlFor, type PlanChanged } from "../billing/index.ts";
import { findOrder } from "./billing.ts";
import { type ActIn, type Change, defineOperation, serving } from "./operation.ts";
import { busy, conflict, forbidden, invalidInput, noSuch, type Refused } from "./problem.ts";

const MOST_PACKS = 20;
const name = z.string().max(100);

/**
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

export const BUYING_OPERATIONS = [buyPacks, changePlan, payTestOrder, openPortal] as const;
