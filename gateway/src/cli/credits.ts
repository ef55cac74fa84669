import { misused } from "./cli-error.ts";
import type { Command } from "./command.ts";
import { refuseTwoEnds } from "./flag-values.ts";
import { commandFor, ORG_FLAG } from "./operation-command.ts";
import { creditsText, momentText } from "./wording.ts";

const POOL = { value: "POOL" };

export const creditsCommands: readonly Command[] = [
  commandFor("credits.grant", {
    org: ORG_FLAG,
    flags: {
      pool: POOL,
      expiresAt: { value: "MOMENT" },
      expiresIn: { value: "TIME" },
      reference: { value: "TEXT" },
      id: null,
    },
    isAskedSurely: true,
    check(flags) {
      refuseTwoEnds(flags);
      if (flags.text("pool") === "anytime" && (flags.has("expires-in") || flags.has("expires-at")))
        throw misused("Anytime credits never expire: leave the end out.");
    },
    text({ outcome, amount, balance }, { organization: { name } }) {
      const done =
        outcome === "repeat"
          ? `${name} already got these ${creditsText(amount)}: nothing was added.`
          : `${name} got ${creditsText(amount)}.`;
      return `${done}\n\n${balanceText(balance)}`;
    },
  }),
  commandFor("credits.adjust", {
    org: ORG_FLAG,
    flags: { pool: POOL, amount: { value: "±N" }, reason: { value: "TEXT" }, id: null },
    isAskedSurely: true,
    text({ pool, amount, debtPaid, debtLeft, balance }, { organization: { name } }) {
      const left = debtLeft === 0 ? "all of it" : `${creditsText(debtLeft)} are left`;
      // Credits that were refunded after they were spent are a debt, which is paid first.
      const debt =
        debtPaid === 0
          ? ""
          : ` Of these, ${creditsText(debtPaid)} paid its debt of refunded credits: ${left}.`;
      return `The ${pool} credits of ${name} were changed by ${creditsText(amount)}.${debt}\n\n${balanceText(balance)}`;
    },
  }),
  commandFor("credits.undo-expiry", {
    org: null,
    flags: { org: { value: "ORG" }, yes: { value: null } },
    text: ({ expiries }) =>
      expiries
        .map(
          ({ name, credits, entry, outcome }) =>
            `${name}: ${creditsText(credits)} of entry ${entry} ${UNDONE[outcome]}.`,
        )
        .join("\n") || "No credits expired in a jump of the clock: nothing was changed.",
  }),
];

const UNDONE = {
  found: "can be put back: say --yes",
  reopened: "were put back, and their period is open again",
  joined: "were put back into the period that is open",
  over: "stay expired: their period has ended",
} as const;

function balanceText(balance: {
  subscriptionCredits: number;
  anytimeCredits: number;
  subscriptionCreditsExpireAt: string | null;
}): string {
  const { subscriptionCreditsExpireAt: end } = balance;
  return [
    `  subscription  ${creditsText(balance.subscriptionCredits)}${end ? `, valid until ${momentText(end)}` : ""}`,
    `  anytime       ${creditsText(balance.anytimeCredits)}`,
  ].join("\n");
}
