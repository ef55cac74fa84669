import { type Billing, createPayments, type Payments } from "../billing/index.ts";
import type { Catalog } from "../catalog/index.ts";
import { type Config, isLocalAddress } from "../config/index.ts";
import type { Database } from "../db/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { createMailer, type Mailer } from "../mail/index.ts";
import { createPublicPost } from "../outbound/index.ts";
import { createOutbox, type Outbox } from "../outbox/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";

export type PaymentServices = {
  readonly payments: Payments;
  /** Null if mail is not configured. */
  readonly mail: Mailer | null;
  readonly outbox: Outbox;
};

/** Wires up how credits are bought, and how people are told what happens. */
export function openPayments(base: {
  readonly config: Config;
  readonly db: Database;
  readonly ledger: Ledger;
  readonly billing: Billing;
  readonly catalog: Catalog;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secret: string;
}): PaymentServices {
  const { config, log, metrics } = base;
  const { publicUrl } = config;
  const mail = config.mail && createMailer({ settings: config.mail, log, metrics });
  const payments = createPayments({
    ...base,
    plans: base.catalog.plans,
    packs: base.catalog.packs,
    stripe: config.stripe,
    testCheckout: config.testCheckout,
  });
  const outbox = createOutbox({
    ...base,
    post: createPublicPost({ ownHosts: [new URL(publicUrl).hostname] }),
    mail: mail && ((letter) => mail.deliver(letter)),
    owners: (orgId) => payments.buyers(orgId),
    isLocal: isLocalAddress(config),
    publicUrl,
  });
  return { payments, mail, outbox };
}
