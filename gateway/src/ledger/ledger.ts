import { companionLanes, type Database, isLockTimeout } from "../db/index.ts";
import { createBatcher, failpoint, type OnFailedBatch, overloaded } from "../kit/index.ts";
import type { Account } from "./account.ts";
import { adjust, grant, renew } from "./grants.ts";
import { settleMedia } from "./media-store.ts";
import type { MadeAsset, Settled, Settlement } from "./settlement.ts";
import { settleOne } from "./single-store.ts";
import {
  type Adjustment,
  type AdjustmentOutcome,
  type Grant,
  type GrantOutcome,
  loadAccount,
  type Renewal,
  type RenewalOutcome,
  savePriceRules,
  settleAll,
} from "./store.ts";

/**
 * Settles calls that ended together in one transaction. A single call tries the short function first, which handles only
 * the usual case; a call with a reply to store skips it.
 */
export async function settleTogether(
  db: Database,
  settlements: readonly Settlement[],
): Promise<readonly Settled[]> {
  const [single] = settlements;
  if (settlements.length === 1 && single !== undefined && single.reply === null) {
    const settled = await settleOne(db, single);
    if (settled !== null) return [settled];
  }
  return settleAll(db, "call", settlements);
}

const MAX_BATCH = 512;
const MAX_WAITING = 20_000;

type PriceRuleRecord = { readonly id: string; readonly model: string; readonly json: string };

/** Lets a caller that has given up withdraw a settlement that was not sent to the database yet. */
export type SettleTicket = { isAbandoned: boolean };

type Item = { readonly settlement: Settlement; readonly ticket: SettleTicket | undefined };

export type Ledger = {
  /** Ends a call exactly once; safe to repeat if the reply was lost. */
  settle(settlement: Settlement, ticket?: SettleTicket): Promise<Settled>;
  account(orgId: string): Promise<Account>;
  grant(input: Grant): Promise<GrantOutcome>;
  renew(input: Renewal): Promise<RenewalOutcome>;
  adjust(input: Adjustment): Promise<AdjustmentOutcome>;
  /** Stores the rules by which requests will be charged; existing ones are left unchanged. */
  recordPriceRules(rules: readonly PriceRuleRecord[]): Promise<void>;
  /** Settlements waiting for their batch; a metric. */
  readonly waiting: number;
};

export function createLedger(db: Database, options: { onFailedBatch?: OnFailedBatch } = {}): Ledger {
  const settlements = createBatcher<Item, Settled>({
    ...settlingBy(db),
    maxItems: MAX_BATCH,
    maxQueue: MAX_WAITING,
    overflow: () => overloaded(),
    onFailedBatch: options.onFailedBatch,
    isAbandoned: ({ ticket }) => ticket?.isAbandoned === true,
    lockedOut: {
      ownerOf: ({ settlement }) => settlement.orgId,
      isIt: isLockTimeout,
      beside: settlingBy(companionLanes(db)),
    },
  });

  async function settleAndPublish(settlement: Settlement, assets: readonly MadeAsset[]): Promise<Settled> {
    await failpoint("before_settle_sql");
    const settled = await settleMedia(db, settlement, assets);
    await failpoint("after_settle_sql");
    await failpoint("asset_after_row");
    return settled;
  }

  return {
    settle(settlement, ticket) {
      const { assets } = settlement;
      if (assets !== undefined && assets.length > 0) return settleAndPublish(settlement, assets);
      return settlements.submit({ settlement, ticket });
    },
    account: (orgId) => loadAccount(db, orgId),
    grant: (input) => grant(db, input),
    renew: (input) => renew(db, input),
    adjust: (input) => adjust(db, input),
    recordPriceRules: (rules) => savePriceRules(db, rules),
    get waiting() {
      return settlements.waiting;
    },
  };
}

function settlingBy(db: Database) {
  return {
    async run(items: readonly Item[]): Promise<readonly Settled[]> {
      await failpoint("before_settle_sql");
      const results = await settleTogether(
        db,
        items.map((item) => item.settlement),
      );
      await failpoint("after_settle_sql");
      return results;
    },
    // Safe: the SQL recognizes settlements that the failed run may have committed.
    rerun: async ({ settlement }: Item) => (await settleAll(db, "call", [settlement]))[0] as Settled,
  };
}
