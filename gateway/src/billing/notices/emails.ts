import { nameInEmail } from "../../kit/index.ts";
import { billingUrlFor } from "../billing-url.ts";
import type { DueNotice } from "./store.ts";

export type Email = { readonly subject: string; readonly text: string };

const CREDITS = new Intl.NumberFormat("en-US");
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export function lowBalanceEmail(notice: DueNotice, billingUrl: string): Email {
  const name = nameInEmail(notice.name);
  return {
    subject: `${name} is running low on credits`,
    text: lines(
      `${name} has ${amount(notice.availableCredits)} left. When they are used up, calls are refused.`,
      "Add credits here:",
      billingUrlFor(billingUrl, notice.orgId),
    ),
  };
}

export function expiryEmail(notice: DueNotice, billingUrl: string): Email {
  const name = nameInEmail(notice.name);
  const end = notice.periodEndsAt === null ? "soon" : `on ${MOMENT.format(notice.periodEndsAt)} UTC`;
  return {
    subject: `${amount(notice.expiringCredits)} of ${name} expire soon`,
    text: lines(
      `${amount(notice.expiringCredits)} of this month's plan of ${name} are unused and expire ${end}. ` +
        "Anytime credits do not expire.",
      "Your balance and your plan are here:",
      billingUrlFor(billingUrl, notice.orgId),
    ),
  };
}

export function paymentFailedEmail(
  organization: { readonly orgId: string; readonly name: string },
  billingUrl: string,
): Email {
  const name = nameInEmail(organization.name);
  return {
    subject: `The payment for the plan of ${name} failed`,
    text: lines(
      `The payment for the next month of the plan of ${name} could not be collected, so its credits have not arrived. ` +
        "It will be tried again; you can also pay, or change the card, here:",
      billingUrlFor(billingUrl, organization.orgId),
    ),
  };
}

function amount(credits: number): string {
  return `${CREDITS.format(credits)} ${credits === 1 ? "credit" : "credits"}`;
}

function lines(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n\nYou received this email because you are an owner or admin of the organization.\n`;
}
