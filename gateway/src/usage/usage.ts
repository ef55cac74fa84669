import type { Database } from "../db/index.ts";
import { assert, type Clock } from "../kit/index.ts";
import type { BalanceView } from "./balance-view.ts";
import { MAX_DAYS, type UsageFilter } from "./filter-store.ts";
import { type KeySpend, loadKeySpend } from "./key-spend-store.ts";
import { loadReceipt } from "./receipt-store.ts";
import { buildReport, type Report } from "./report.ts";
import { loadReport, type Split } from "./report-store.ts";
import { loadRequestPage, type RequestPage, type RequestPageQuery } from "./request-page.ts";
import type { RequestReceipt, RequestStatus } from "./request-record.ts";
import { type LowBalance, loadStanding, type Standing } from "./standing-store.ts";
import { expirePeriod, loadBalance, loadUsage } from "./store.ts";
import type { UsageView } from "./usage-view.ts";

export type UsageOrganization = { readonly id: string; readonly plan: string };

export type Usage = {
  /** The same inside a transaction. */
  on(db: Database): Usage;
  balanceView(organization: UsageOrganization, options: { limit: number }): Promise<BalanceView>;
  /** Its cursor is the id of a request; `after` takes it, and whoever hands it out signs it. */
  usageView(organization: UsageOrganization, options: UsageViewOptions): Promise<UsageView>;
  /** By key id; contains only keys that were used within the days. */
  spendOfKeys(
    orgId: string,
    options: { days: number; keyIds: readonly string[] },
  ): Promise<ReadonlyMap<string, KeySpend>>;
  /** The current balance and running calls of the organization. */
  standing(orgId: string): Promise<Standing>;
  /** Sums by day, split one way; restricted to one member's calls if `onlyMemberId` is set. */
  report(
    orgId: string,
    options: { filter: UsageFilter; split: Split; onlyMemberId?: string | null },
  ): Promise<Report>;
  requests(orgId: string, query: RequestPageQuery): Promise<RequestPage>;
  /** Null if the organization made no such call. */
  receipt(orgId: string, requestId: string): Promise<RequestReceipt | null>;
};

type UsageViewOptions = UsageFilter & {
  readonly limit: number;
  readonly status?: RequestStatus | undefined;
  readonly after?: string | undefined;
};

type UsageOptions = {
  db: Database;
  /** Request ids carry the gateway's time, so this clock helps to bound the ids to scan. */
  clock: Clock;
  /** Undefined for a model that is no longer in the catalog. */
  typeOfModel(modelId: string): string | undefined;
  lowBalance: LowBalance;
};

const MAX_LIMIT = 200;
/** A period that ends during a read is expired and read again; needing that repeatedly would mean a broken clock. */
const MAX_READS = 3;

export function createUsage(options: UsageOptions): Usage {
  const { db, clock, typeOfModel, lowBalance } = options;
  /** If the period has ended, expires it and reads again. */
  async function readExpired<Loaded extends { isDue: boolean }>(
    orgId: string,
    load: () => Promise<Loaded>,
  ): Promise<Loaded> {
    for (let read = 0; read < MAX_READS; read++) {
      const loaded = await load();
      if (!loaded.isDue) return loaded;
      await expirePeriod(db, orgId);
    }
    throw new Error(`the ended period of organization ${orgId} does not expire`);
  }

  return {
    on: (within) => createUsage({ ...options, db: within }),
    async balanceView(organization, { limit }) {
      assert(limit >= 1 && limit <= MAX_LIMIT, `limit out of range: ${limit}`);
      const { view } = await readExpired(organization.id, () => loadBalance(db, organization.id, limit));
      return { org_id: organization.id, plan: organization.plan, ...view };
    },

    async usageView(organization, { limit, status = null, after = null, ...filter }) {
      assert(limit >= 1 && limit <= MAX_LIMIT, `limit out of range: ${limit}`);
      checkDays(filter.days);
      const orgId = organization.id;
      const loaded = await loadUsage(db, { orgId, filter, status, limit, after, gatewayMs: clock.nowMs() });
      const by_model = loaded.by_model.map(({ endpoint, tokens_saved: _, ...of }) => ({
        ...of,
        type: typeOfModel(of.model) ?? typeMadeAt(endpoint),
      }));
      return {
        summary: {
          from: loaded.from,
          to: loaded.to,
          days: loaded.by_day.length,
          ...loaded.totals,
          by_day: loaded.by_day,
          by_model,
          refused_requests: loaded.refusals.reduce((sum, { requests }) => sum + requests, 0),
          refusals_by_code: loaded.refusals,
        },
        by_api_key: loaded.by_api_key,
        by_member: loaded.by_member,
        requests: loaded.requests,
        next_cursor: loaded.stoppedAt,
      };
    },

    async spendOfKeys(orgId, { days, keyIds }) {
      checkDays(days);
      return loadKeySpend(db, { orgId, days, keyIds });
    },

    standing: async (orgId) => (await readExpired(orgId, () => loadStanding(db, orgId, lowBalance))).standing,

    async report(orgId, { filter, split, onlyMemberId = null }) {
      checkDays(filter.days);
      return buildReport(await loadReport(db, { orgId, filter, split, onlyMemberId }), filter.days);
    },

    async requests(orgId, query) {
      checkDays(query.filter.days);
      return loadRequestPage(db, { ...query, orgId, gatewayMs: clock.nowMs() });
    },

    receipt: (orgId, requestId) => loadReceipt(db, orgId, requestId),
  };
}

/** Media endpoints have the type in their name; text endpoints do not. */
function typeMadeAt(endpoint: string): string {
  return /image|audio|video/.exec(endpoint)?.[0] ?? "text";
}

function checkDays(days: number): void {
  assert(days >= 1 && days <= MAX_DAYS, `days out of range: ${days}`);
}
