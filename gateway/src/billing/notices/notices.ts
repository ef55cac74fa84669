import type { Database } from "../../db/index.ts";
import { nameInEmail } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { billingUrlFor } from "../billing-url.ts";
import { leaveFailure, loadUnsentFailures, takeFailure } from "./failure-store.ts";
import {
  type DueNotice,
  loadAdministrators,
  loadDueNotices,
  type NoticeThresholds,
  saveArmed,
  saveSent,
  saveUnsent,
} from "./store.ts";

type Email = { readonly subject: string; readonly text: string };

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
  return `${credits.toLocaleString("en-US")} ${credits === 1 ? "credit" : "credits"}`;
}

function lines(...paragraphs: string[]): string {
  return `${paragraphs.join("\n\n")}\n\nYou received this email because you are an owner or admin of the organization.\n`;
}

export type NoticeOptions = {
  readonly db: Database;
  readonly log: Log;
  readonly thresholds: NoticeThresholds;
  /** URL of the billing page, for the emails. */
  readonly billingUrl: string;
  /** refused: permanently. lost: a later attempt may succeed. */
  deliver(message: Email & { readonly to: string }): Promise<"taken" | "refused" | "lost">;
};

/** Emails to owners and admins about their credits; each is sent once. */
export type Notices = {
  /** Checks every account and every failed payment; run by the schedule, one node at a time. */
  sendDue(): Promise<void>;
  /** Sends at once what the next run would send. */
  sendPaymentFailed(orgId: string): Promise<void>;
};

type Notice = { readonly orgId: string; readonly kind: DueNotice["kind"] | "payment_failed" };

/** Most notices per run; the next run continues. */
const MAX_DUE = 500;
/** More owners and admins than this would be a mistake, and a flood of emails. */
const MAX_RECIPIENTS = 20;

export function createNotices(options: NoticeOptions): Notices {
  const { db, log, thresholds, billingUrl } = options;

  /** False if nobody was reached but another attempt may succeed. */
  async function send({ orgId, kind }: Notice, message: Email): Promise<boolean> {
    const people = await loadAdministrators(db, orgId, MAX_RECIPIENTS);
    const delivered = await Promise.all(
      people.map(({ email }) => options.deliver({ ...message, to: email }).catch(() => "lost")),
    );
    const isSent = delivered.includes("taken");
    if (!isSent && delivered.includes("lost")) return false;
    if (isSent) log.info("notice_sent", { org_id: orgId, kind });
    else log.warn("notice_reaches_nobody", { org_id: orgId, kind });
    return true;
  }

  async function sendOne(notice: DueNotice): Promise<void> {
    const message = (notice.kind === "low_balance" ? lowBalanceEmail : expiryEmail)(notice, billingUrl);
    if (!(await saveSent(db, notice))) return;
    if (!(await send(notice, message))) await saveUnsent(db, notice);
  }

  async function sendPaymentFailed(orgId: string): Promise<void> {
    const failure = await takeFailure(db, orgId);
    if (!failure) return;
    const message = paymentFailedEmail(failure, billingUrl);
    await leaveFailure(db, failure, await send({ orgId, kind: "payment_failed" }, message));
  }

  return {
    async sendDue() {
      await saveArmed(db, thresholds);
      const due = await loadDueNotices(db, thresholds, MAX_DUE);
      const failures = await loadUnsentFailures(db, MAX_DUE);
      // Waits for every email even if one fails: the next run must not overlap with emails still being sent.
      const sent = await Promise.allSettled([...due.map(sendOne), ...failures.map(sendPaymentFailed)]);
      const failure = sent.find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    },
    sendPaymentFailed,
  };
}
