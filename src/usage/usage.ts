import type { Database } from "../db/index.ts";
import { assert, type Clock, lowestIdAt } from "../kit/index.ts";
import type { BalanceView } from "./balance-view.ts";
import { expirePeriod, loadBalance, loadUsage } from "./store.ts";
import type { UsageView } from "./usage-view.ts";

export type UsageOrganization = { readonly id: string; readonly plan: string };

export type Usage = {
  balanceView(organization: UsageOrganization, options: { limit: number }): Promise<BalanceView>;
  usageView(organization: UsageOrganization, options: { days: number; limit: number }): Promise<UsageView>;
  /** What the tokens that were saved would have cost at the price of each model's input today, at the most. */
  creditsSaved(organization: UsageOrganization, options: { days: number }): Promise<number>;
};

export type UsageOptions = {
  db: Database;
  /** Request ids carry the gateway's time, so the range of ids to look at is cut by the gateway's clock. */
  clock: Clock;
  /** Undefined for a model that the catalog no longer has. */
  typeOfModel(modelId: string): string | undefined;
  /** In credits; 0 for a model that the catalog no longer has. */
  worthOfInput(modelId: string, tokens: number): number;
};

const MAX_DAYS = 90;
const MAX_LIMIT = 200;
const DAY_MS = 86_400_000;
/**
 * A call that ends today may have begun yesterday: a video job lives for an hour at most, and gateways'
 * clocks differ a little.
 */
const LONGEST_CALL_MS = 90 * 60_000;
/** A period that ends while we look is expired and read again; more than once would be a broken clock. */
const MAX_READS = 3;

export function createUsage({ db, clock, typeOfModel, worthOfInput }: UsageOptions): Usage {
  function load(organization: UsageOrganization, { days, limit }: { days: number; limit: number }) {
    assert(limit >= 1 && limit <= MAX_LIMIT, `limit out of range: ${limit}`);
    assert(days >= 1 && days <= MAX_DAYS, `days out of range: ${days}`);
    const lowestRequestId = lowestIdAt(clock.nowMs() - days * DAY_MS - LONGEST_CALL_MS);
    return loadUsage(db, { orgId: organization.id, days, limit, lowestRequestId });
  }

  return {
    async balanceView(organization, { limit }) {
      assert(limit >= 1 && limit <= MAX_LIMIT, `limit out of range: ${limit}`);
      for (let read = 0; read < MAX_READS; read++) {
        const loaded = await loadBalance(db, organization.id, limit);
        if (!loaded.isDue) return { org_id: organization.id, plan: organization.plan, ...loaded.view };
        await expirePeriod(db, organization.id);
      }
      throw new Error(`the ended period of organization ${organization.id} does not expire`);
    },

    async usageView(organization, { days, limit }) {
      const loaded = await load(organization, { days, limit });
      const by_model = loaded.by_model.map(({ model, requests, credits_charged }) => ({
        model,
        type: typeOfModel(model) ?? "text",
        requests,
        credits_charged,
      }));
      return {
        summary: {
          from: loaded.from,
          to: loaded.to,
          days,
          ...loaded.totals,
          by_day: loaded.by_day,
          by_model,
        },
        by_api_key: loaded.by_api_key,
        by_member: loaded.by_member,
        requests: loaded.requests,
      };
    },

    async creditsSaved(organization, { days }) {
      const { by_model } = await load(organization, { days, limit: 1 });
      return by_model.reduce((sum, { model, tokens_saved }) => sum + worthOfInput(model, tokens_saved), 0);
    },
  };
}
