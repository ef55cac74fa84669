import { createAdmitter } from "../gateway/src/admission/index.ts";
import { createTestDatabase } from "../gateway/src/db/testing.ts";
import { credits, newId, systemClock } from "../gateway/src/kit/index.ts";
import { createLedger, type Grant } from "../gateway/src/ledger/index.ts";
import { takeLease } from "../gateway/src/ledger/lease/lease.ts";
import { silentLog } from "../gateway/src/telemetry/index.ts";
import { createOrganization } from "./ledger-script.ts";

/** A database with one node on it: the usual start of a test of the ledger. `ledgerMoves` adds the steps of a call. */
export async function openLedgerBooks(options: { poolSize?: number } = {}) {
  const database = await createTestDatabase(options);
  const { db } = database;
  const lease = await takeLease({ db, log: silentLog, clock: systemClock, onLost: () => {} });
  const ledger = createLedger(db);

  function grantOf(orgId: string, amount: number, changes: Partial<Grant> = {}): Grant {
    const fixed = { expiresAt: null, kind: "manual", description: "test", pool: "anytime" } as const;
    return { ...fixed, orgId, amount: credits(amount), reference: null, ...changes };
  }

  return {
    database,
    db,
    lease,
    admitter: createAdmitter({ db, lease }),
    ledger,
    grantOf,
    /** Creates an organization with this many anytime credits. */
    async found(amount: number): Promise<string> {
      const orgId = newId();
      await createOrganization(database, orgId);
      if (amount > 0) await ledger.grant(grantOf(orgId, amount));
      return orgId;
    },
    /** Both pools as available+held, the subscription first. */
    async balance(orgId: string): Promise<string> {
      const account = await ledger.account(orgId);
      return `${account.subscriptionAvailable}+${account.subscriptionHeld} ${account.anytimeAvailable}+${account.anytimeHeld}`;
    },
  };
}
