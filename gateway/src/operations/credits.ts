import { z } from "zod";
import { loadDatabaseNow, loadIsTimeBelieved } from "../db/index.ts";
import { creditDelta, credits, newId } from "../kit/index.ts";
import { type Account, type GrantOutcome, loadWrongExpiries, undoExpiries } from "../ledger/index.ts";
import { duration, endOf, moment } from "./input-fields.ts";
import { defineOperation } from "./operation.ts";
import { conflict, noSuch } from "./problem.ts";

const MAX_AMOUNT = 1_000_000_000_000;
const MAX_TEXT_CHARACTERS = 200;
const POOL = z.enum(["subscription", "anytime"]);

const line = z
  .string()
  .trim()
  .refine(
    (text) => text !== "" && text.length <= MAX_TEXT_CHARACTERS && !/\p{Cc}/u.test(text),
    `This takes 1 to ${MAX_TEXT_CHARACTERS} characters on one line.`,
  );
const ID = z
  .guid()
  .optional()
  .describe(
    "chosen by the caller: the same one takes effect only once, so that a lost answer can be asked for again",
  );

const BALANCE = z
  .object({
    subscriptionCredits: z.int(),
    anytimeCredits: z.int(),
    totalCredits: z.int(),
    heldCredits: z.int(),
    subscriptionCreditsExpireAt: z.string().nullable(),
  })
  .meta({ id: "Balance" });

function balanceOf(account: Account): z.input<typeof BALANCE> {
  return {
    subscriptionCredits: account.subscriptionAvailable,
    anytimeCredits: account.anytimeAvailable,
    totalCredits: account.subscriptionAvailable + account.anytimeAvailable,
    heldCredits: account.subscriptionHeld + account.anytimeHeld,
    subscriptionCreditsExpireAt: account.period?.endsAt.toISOString() ?? null,
  };
}

const grantCredits = defineOperation({
  name: "credits.grant",
  area: "billing",
  access: "write",
  place: "organization",
  who: "operator",
  rest: ["POST /organizations/{org}/credits/grants"],
  input: z.strictObject({
    pool: POOL.describe("subscription or anytime"),
    amount: z.int().min(1).max(MAX_AMOUNT).describe("whole credits"),
    expiresAt: moment.optional().describe("end of the period that a subscription grant opens"),
    expiresIn: duration.optional().describe("the same as a time from now, such as 30d"),
    reference: line.optional().describe("an idempotency reference: the same one grants only once"),
    id: ID,
  }),
  output: z
    .object({
      id: z.string(),
      orgId: z.string(),
      pool: POOL,
      amount: z.int(),
      reference: z.string().nullable(),
      outcome: z.enum(["granted", "repeat"]),
      balance: BALANCE,
    })
    .meta({ id: "Grant" }),
  words: {
    about: "Give an organization credits.",
    notes: "With a reference it is safe to repeat. A subscription grant joins the open period.",
  },
  async run({ services, organization }, { pool, amount, reference = null, id = newId(), ...ends }) {
    const end = endOf(ends);
    if (pool === "anytime" && (end.expiresInMs !== null || end.expiresAt !== null))
      throw conflict("Anytime credits never expire: leave the end out.");
    const expiresAt =
      end.expiresInMs === null
        ? end.expiresAt
        : new Date((await loadDatabaseNow(services.db)).getTime() + end.expiresInMs);
    const granted = await services.ledger.grant({
      id,
      orgId: organization.id,
      pool,
      amount: credits(amount),
      reference,
      expiresAt,
      kind: "manual",
      description: reference === null ? "granted by the operator" : `granted by the operator: ${reference}`,
    });
    const outcome = outcomeOf(granted, { name: organization.name, reference, expiresAt });
    const output = { id: granted.grantId, orgId: organization.id, pool, amount, reference, outcome };
    const object = { kind: "grant", id: granted.grantId, name: reference };
    return {
      output: { ...output, balance: balanceOf(granted.account) },
      changed: granted.isNew ? { object, before: null, after: { pool, amount, reference } } : null,
    };
  },
});

function outcomeOf(
  granted: GrantOutcome,
  asked: { name: string; reference: string | null; expiresAt: Date | null },
): "granted" | "repeat" {
  const { name, reference, expiresAt } = asked;
  switch (granted.outcome) {
    case "granted":
    case "repeat":
      return granted.outcome;
    case "conflict":
      throw conflict(
        `The reference ${JSON.stringify(reference)} belongs to another grant of ${name}: nothing was added.`,
      );
    case "period_differs":
      throw conflict(
        `${name} has an open period that ends ${periodEnd(granted)}: leave the end out to join it. Nothing was added.`,
      );
    case "already_expired":
      throw conflict(
        expiresAt
          ? "Those credits would have expired already: nothing was added."
          : `${name} has no open period: say when these credits expire, with expires_at.`,
      );
  }
}

function periodEnd({ account }: GrantOutcome): string {
  const end = account.period?.endsAt.toISOString();
  return end ? `${end.slice(0, 16).replace("T", " ")} UTC (${end})` : "at another time";
}

const adjustCredits = defineOperation({
  name: "credits.adjust",
  area: "billing",
  access: "write",
  place: "organization",
  who: "operator",
  rest: ["POST /organizations/{org}/credits/adjustments"],
  input: z.strictObject({
    pool: POOL.describe("subscription or anytime"),
    amount: z
      .int()
      .min(-MAX_AMOUNT)
      .max(MAX_AMOUNT)
      .refine((amount) => amount !== 0, "This takes another number than 0.")
      .describe("whole credits, such as -250"),
    reason: line.describe("what the ledger will say"),
    id: ID,
  }),
  output: z
    .object({
      id: z.string().describe("of its entry"),
      orgId: z.string(),
      pool: POOL,
      amount: z.int(),
      debtPaid: z.int().describe("of it, what paid a debt of refunded credits"),
      debtLeft: z.int(),
      balance: BALANCE,
    })
    .meta({ id: "Adjustment" }),
  words: { about: "Correct an organization's credits by hand, up or down." },
  async run({ services, organization: { id: orgId, name } }, { pool, amount, reason, id = newId() }) {
    const adjusted = await services.ledger.adjust({
      id,
      orgId,
      pool,
      amount: creditDelta(amount),
      description: reason,
    });
    if (adjusted.outcome === "insufficient")
      throw conflict(`${name} does not have that many ${pool} credits free: nothing was changed.`);
    if (adjusted.outcome === "no_open_period")
      throw conflict(
        `${name} has no open period, so subscription credits have nowhere to go: nothing was changed.`,
      );
    const { entryId, debtPaid, account, isNew } = adjusted;
    const object = { kind: "adjustment", id: entryId, name: null };
    const balance = balanceOf(account);
    return {
      output: { id: entryId, orgId, pool, amount, debtPaid, debtLeft: account.debt, balance },
      changed: isNew ? { object, before: null, after: { pool, amount, reason } } : null,
    };
  },
});

const undoExpiry = defineOperation({
  name: "credits.undo-expiry",
  area: "system",
  access: "write",
  place: "installation",
  who: "operator",
  rest: ["POST /credits/undo-expiry"],
  input: z.strictObject({
    org: z.string().optional().describe("only this one, by id or slug (default: all)"),
    yes: z.boolean().optional().describe("put them back"),
  }),
  output: z
    .object({
      isUndone: z.boolean(),
      expiries: z.array(
        z.object({
          orgId: z.string(),
          name: z.string(),
          entry: z.string(),
          credits: z.int(),
          outcome: z.enum(["found", "reopened", "joined", "over"]),
        }),
      ),
    })
    .meta({ id: "UndoneExpiries" }),
  words: {
    about: "Put back subscription credits that expired because the database's clock jumped.",
    notes: "Lists them; --yes puts them back. Each expiry is undone once, so it is safe to repeat.",
  },
  async run({ services: { db, identity } }, { org, yes = false }) {
    if (!(await loadIsTimeBelieved(db)))
      throw conflict(
        "The database's clock is doubted: `bursar doctor` compares it with this machine's. If it is right: `bursar clock accept`.",
      );
    const organization = org === undefined ? null : await identity.organizations.find(org);
    if (organization === undefined) throw noSuch("organization");
    const found = await loadWrongExpiries(db, organization?.id ?? null);
    const undone: typeof found = [];
    for (const id of yes ? new Set(found.map((one) => one.orgId)) : [])
      undone.push(...(await undoExpiries(db, id)));
    const expiries = (yes ? undone : found).map(({ orgId, name, entryId, amount, outcome }) => ({
      orgId,
      name,
      entry: entryId,
      credits: amount,
      outcome,
    }));
    const amount = undone.reduce((sum, one) => sum + (one.outcome === "over" ? 0 : one.amount), 0);
    const object = { kind: "expiry", id: organization?.id ?? "all", name: organization?.name ?? null };
    return {
      output: { isUndone: yes, expiries },
      changed: amount > 0 ? { object, before: null, after: { amount } } : null,
    };
  },
});

export const CREDIT_OPERATIONS = [grantCredits, adjustCredits, undoExpiry] as const;
