import {
  type Billing,
  billingUrl,
  createNotices,
  createPayments,
  type Notices,
  type Payments,
} from "../billing/index.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Config } from "../config/index.ts";
import type { Database } from "../db/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { createMailer, type Mailer } from "../mail/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

export type PaymentServices = {
  readonly payments: Payments;
  /** Null if mail is not configured. */
  readonly mail: Mailer | null;
};

/** Wires up how credits are bought, and the emails about them. */
export function openPayments(base: {
  readonly config: Config;
  readonly db: Database;
  readonly ledger: Ledger;
  readonly billing: Billing;
  readonly catalog: Catalog;
  readonly log: Log;
  readonly metrics: Metrics;
}): PaymentServices & { readonly notices: Notices | null } {
  const { config, db, ledger, billing, log, metrics } = base;
  const mail = config.mail && createMailer({ settings: config.mail, log, metrics });
  const notices =
    mail &&
    createNotices({
      db,
      log,
      thresholds: config.notices,
      billingUrl: billingUrl(config.publicUrl),
      deliver: (letter) => mail.deliver(letter),
    });
  const payments = createPayments({
    db,
    ledger,
    billing,
    log,
    metrics,
    plans: base.catalog.plans,
    packs: base.catalog.packs,
    stripe: config.stripe,
    testCheckout: config.testCheckout,
    onPaymentFailed(orgId) {
      notices
        ?.sendPaymentFailed(orgId)
        .catch((error: unknown) => log.warn("notice_not_sent", { error: String(error) }));
    },
  });
  return { payments, mail, notices };
}
