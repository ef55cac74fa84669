import type { Library } from "../assets/index.ts";
import { createBilling, type Payments } from "../billing/index.ts";
import type { Catalog } from "../catalog/index.ts";
import { type Database, inTransaction } from "../db/index.ts";
import type { Identity, IdentityNouns } from "../identity/index.ts";
import type { Clock } from "../kit/index.ts";
import { createLedger, type Ledger } from "../ledger/index.ts";
import type { Endpoints } from "../outbox/index.ts";
import type { Log } from "../telemetry/index.ts";
import type { Usage } from "../usage/index.ts";

export type Mail = {
  /** True if a message would be accepted now: for steps that are pointless if the email cannot be sent. */
  hasRoom(): boolean;
  /** Throws if the message could not be handed over. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** `takeBack`: the attempt does not count after all. */
type InvitationAttempt =
  | { readonly outcome: "go"; takeBack(): void }
  | { readonly outcome: "wait"; readonly retryAfterSeconds: number };

/** What only a serving process has. */
export type ServingServices = {
  readonly payments: Payments;
  readonly library: Pick<Library, "list" | "find" | "ofRequest" | "withdraw">;
  readonly webhooks: Endpoints;
  /** Null if mail is not configured. */
  readonly mail: Mail | null;
  brakeInvitation(asked: {
    readonly clientAddress: string;
    readonly organizationId: string;
    readonly email: string;
  }): InvitationAttempt;
  /** How long a caller waits for work at Stripe that the schedule would finish anyway. */
  readonly stripeWaitMs?: number | undefined;
};

/** What operations work with. */
export type OperationServices = {
  readonly db: Database;
  readonly identity: IdentityNouns & Pick<Identity, "on">;
  readonly ledger: Pick<Ledger, "account" | "grant" | "adjust" | "renew">;
  readonly usage: Usage;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string;
  /** Value of a credit in millionths of a US dollar. */
  readonly creditMicroUsd: number;
  /** Null at the command line. */
  readonly serving: ServingServices | null;
};

/**
 * The same inside a transaction: whoever holds its connection must not wait for another, or all of them may wait for
 * each other.
 */
export function servicesIn(
  services: OperationServices,
  client: Parameters<typeof inTransaction>[1],
): OperationServices {
  const db = inTransaction(services.db, client);
  const { identity, usage } = services;
  return {
    ...services,
    db,
    identity: { ...identity.on(db), on: identity.on },
    ledger: createLedger(db),
    usage: usage.on(db),
  };
}

/** Begins plans, in the transaction of these services. */
export function billingOf({ db, ledger, catalog, log }: OperationServices) {
  return createBilling({ db, ledger, plans: catalog.plans, log });
}
