import type { DueNotice } from "./store.ts";

export type Letter = { readonly subject: string; readonly text: string };

const CREDITS = new Intl.NumberFormat("en-US");
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export function lowBalanceLetter(notice: DueNotice, billingUrl: string): Letter {
  return {
    subject: `${notice.name} is running low on credits`,
    text: lines(
      `${notice.name} has ${amount(notice.availableCredits)} left. When they are used up, calls are refused.`,
      "Add credits here:",
      billingUrl,
    ),
  };
}

export function expiryLetter(notice: DueNotice, billingUrl: string): Letter {
  const end = notice.periodEndsAt === null ? "soon" : `on ${MOMENT.format(notice.periodEndsAt)} UTC`;
  return {
    subject: `${amount(notice.expiringCredits)} of ${notice.name} expire soon`,
    text: lines(
      `${amount(notice.expiringCredits)} of this month's plan of ${notice.name} are unused and expire ${end}. ` +
        "Anytime credits do not expire.",
      "Your balance and your plan are here:",
      billingUrl,
    ),
  };
}

export function paymentFailedLetter(billingUrl: string): Letter {
  return {
    subject: "The payment for your plan failed",
    text: lines(
      "The payment for the next month of your plan could not be collected, so its credits have not arrived. " +
        "It will be tried again; you can also pay, or change the card, here:",
      billingUrl,
    ),
  };
}

function amount(credits: number): string {
  return `${CREDITS.format(credits)} ${credits === 1 ? "credit" : "credits"}`;
}

function lines(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n\nYou get this email as an owner or admin of the organization.\n`;
}
