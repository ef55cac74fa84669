import { loadDatabaseNow, loadIsTimeBelieved } from "../db/index.ts";
import { newId } from "../kit/index.ts";
import {
  type AdjustmentOutcome,
  type Grant,
  type GrantOutcome,
  loadWrongExpiries,
  undoExpiries,
} from "../ledger/index.ts";
import { askSurely } from "./ask-surely.ts";
import { failed, misused } from "./cli-error.ts";
import { withServices } from "./cli-host.ts";
import type { Command } from "./command.ts";
import type { FlagSpec } from "./flag.ts";
import { parseAmount, parseChange, parseChoice, parseExpiry } from "./flag-values.ts";
import { findOrganization, ORG_FLAG } from "./operator-services.ts";
import { accountJson, accountText } from "./organization-fields.ts";
import { commandText, creditsText, momentText } from "./wording.ts";

const POOLS = ["subscription", "anytime"] as const;
const MAX_TEXT_CHARACTERS = 200;

const POOL_FLAG: FlagSpec = { name: "pool", value: "POOL", about: POOLS.join(" or "), required: true };

const grantCommand: Command = {
  path: ["credits", "grant"],
  about: "Give an organization credits.",
  notes: "With a reference it is safe to repeat. A subscription grant joins the open period.",
  flags: [
    ORG_FLAG,
    POOL_FLAG,
    { name: "amount", value: "N", about: "whole credits", required: true },
    { name: "expires-at", value: "MOMENT", about: "end of the period that a subscription grant opens" },
    { name: "expires-in", value: "TIME", about: "the same as a time from now, such as 30d" },
    { name: "reference", value: "TEXT", about: "an idempotency reference: the same one grants only once" },
  ],
  run: ({ flags, host }) => {
    const pool = parseChoice("--pool", flags.required("pool"), POOLS);
    const amount = parseAmount("--amount", flags.required("amount"));
    const reference = optionalText("--reference", flags.text("reference"));
    const end = parseExpiry(flags);
    const hasEnd = end.expiresInMs !== null || end.expiresAt !== null;
    if (hasEnd && pool === "anytime") throw misused("Anytime credits never expire: leave the end out.");
    return withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const expiresAt =
        end.expiresInMs === null
          ? end.expiresAt
          : new Date((await loadDatabaseNow(services.db)).getTime() + end.expiresInMs);
      const grant: Grant = {
        id: newId(),
        orgId: organization.id,
        pool,
        amount,
        reference,
        expiresAt,
        kind: "manual",
        description: reference === null ? "granted by the operator" : `granted by the operator: ${reference}`,
      };
      const granted = await askSurely(() => services.ledger.grant(grant));
      refuseGrant(granted, { name: organization.name, reference, expiresAt });
      const isRepeat = granted.outcome === "repeat";
      return {
        json: {
          id: granted.grantId,
          org_id: organization.id,
          pool,
          amount,
          reference,
          outcome: granted.outcome,
          balance: accountJson(granted.account),
        },
        text: `${
          isRepeat
            ? `${organization.name} already got these ${creditsText(amount)}: nothing was added.`
            : `${organization.name} got ${creditsText(amount)}.`
        }\n\n${accountText(granted.account)}`,
      };
    });
  },
};

const adjustCommand: Command = {
  path: ["credits", "adjust"],
  about: "Correct an organization's credits by hand, up or down.",
  flags: [
    ORG_FLAG,
    POOL_FLAG,
    { name: "amount", value: "±N", about: "whole credits, such as -250", required: true },
    { name: "reason", value: "TEXT", about: "what the ledger will say", required: true },
  ],
  run: ({ flags, host }) => {
    const pool = parseChoice("--pool", flags.required("pool"), POOLS);
    const amount = parseChange("--amount", flags.required("amount"));
    const reason = optionalText("--reason", flags.required("reason")) ?? "";
    return withServices(host, async (services) => {
      const organization = await findOrganization(services, flags.required("org"));
      const adjustment = { id: newId(), orgId: organization.id, pool, amount, description: reason };
      const adjusted = await askSurely(() => services.ledger.adjust(adjustment));
      if (adjusted.outcome !== "adjusted") throw refusedAdjustment(adjusted.outcome, organization.name, pool);
      return {
        json: {
          id: adjusted.entryId,
          org_id: organization.id,
          pool,
          amount,
          debt_paid: adjusted.debtPaid,
          balance: accountJson(adjusted.account),
        },
        text: `The ${pool} credits of ${organization.name} were changed by ${creditsText(amount)}.${debtText(adjusted)}\n\n${accountText(adjusted.account)}`,
      };
    });
  },
};

const undoExpiryCommand: Command = {
  path: ["credits", "undo-expiry"],
  about: "Put back subscription credits that expired because the database's clock jumped.",
  notes: "Lists them; --yes puts them back. Each expiry is undone once, so it is safe to repeat.",
  flags: [
    { name: "org", value: "ORG", about: "only this one, by id or slug (default: all)" },
    { name: "yes", value: null, about: "put them back" },
  ],
  run: ({ flags, host }) =>
    withServices(host, async (services) => {
      const { db } = services;
      if (!(await loadIsTimeBelieved(db)))
        throw failed(
          `The database's clock is doubted: ${commandText("doctor")} compares it with this machine's. If it is right: ${commandText("clock accept")}.`,
        );
      const orgText = flags.text("org");
      const orgId = orgText === undefined ? null : (await findOrganization(services, orgText)).id;
      const found = await loadWrongExpiries(db, orgId);
      const isUndone = flags.has("yes");
      const undone: typeof found = [];
      for (const id of isUndone ? new Set(found.map((one) => one.orgId)) : [])
        undone.push(...(await undoExpiries(db, id)));
      const lines: string[] = [];
      const expiries: unknown[] = [];
      for (const { orgId, name, entryId, amount, outcome } of isUndone ? undone : found) {
        lines.push(`${name}: ${creditsText(amount)} of entry ${entryId} ${UNDONE[outcome]}.`);
        expiries.push({ org_id: orgId, entry: entryId, credits: amount, outcome });
      }
      return {
        json: { is_undone: isUndone, expiries },
        text: lines.join("\n") || "No credits expired in a jump of the clock: nothing was changed.",
      };
    }),
};

const UNDONE: Readonly<Record<string, string>> = {
  found: "can be put back: say --yes",
  reopened: "were put back, and their period is open again",
  joined: "were put back into the period that is open",
  over: "stay expired: their period has ended",
};

export const creditsCommands: readonly Command[] = [grantCommand, adjustCommand, undoExpiryCommand];

function optionalText(flag: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const trimmed = text.trim();
  if (trimmed !== "" && trimmed.length <= MAX_TEXT_CHARACTERS && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw misused(`${flag} takes 1 to ${MAX_TEXT_CHARACTERS} characters on one line.`);
}

function refuseGrant(
  granted: GrantOutcome,
  asked: { name: string; reference: string | null; expiresAt: Date | null },
): void {
  const { name, reference, expiresAt } = asked;
  switch (granted.outcome) {
    case "granted":
    case "repeat":
      return;
    case "conflict":
      throw failed(
        `The reference ${JSON.stringify(reference)} belongs to another grant of ${name}: nothing was added.`,
      );
    case "period_differs":
      throw failed(
        `${name} has an open period that ends ${periodEnd(granted)}: leave the end out to join it. Nothing was added.`,
      );
    case "already_expired":
      throw failed(
        expiresAt
          ? "Those credits would have expired already: nothing was added."
          : `${name} has no open period: say with --expires-at when these credits expire.`,
      );
  }
}

/** Credits that were refunded after they were spent are a debt, which is paid first. */
function debtText({ debtPaid, account }: AdjustmentOutcome): string {
  if (debtPaid === 0) return "";
  const left = account.debt === 0 ? "all of it" : `${creditsText(account.debt)} are left`;
  return ` Of these, ${creditsText(debtPaid)} paid its debt of refunded credits: ${left}.`;
}

function periodEnd(granted: GrantOutcome): string {
  const end = granted.account.period?.endsAt;
  return end ? `${momentText(end)} (${end.toISOString()})` : "at another time";
}

function refusedAdjustment(
  outcome: "insufficient" | "no_open_period",
  name: string,
  pool: (typeof POOLS)[number],
): Error {
  return outcome === "insufficient"
    ? failed(`${name} does not have that many ${pool} credits free: nothing was changed.`)
    : failed(`${name} has no open period, so subscription credits have nowhere to go: nothing was changed.`);
}
