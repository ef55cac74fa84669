import type { Database } from "../../db/index.ts";
import { loadActFaults } from "./audit-acts-store.ts";
import { type AuditFault, MAX_FAULTS } from "./audit-fault.ts";
import { verifyGroup } from "./audit-group.ts";
import { loadRuleFaults } from "./audit-rules-store.ts";
import { type AuditWork, loadAuditWork } from "./audit-store.ts";
import { loadUnaccounted } from "./audit-unaccounted-store.ts";

export type AuditReport = {
  readonly organizations: number;
  readonly entries: number;
  readonly faults: readonly AuditFault[];
  /** True if the database is read-only, such as a standby, so that the next verification starts where this one did. */
  readonly skipsCheckpoints: boolean;
};

export type AuditOptions = {
  readonly orgId?: string;
  /**
   * Faster: starts each organization where its last sound verification ended. Does not see changes made before that.
   */
  readonly sinceCheckpoint?: boolean;
  /** Groups verified concurrently; each keeps one core of the database busy. */
  readonly atOnce?: number;
};

const PAGE = 1_000;
/** Small organizations are verified together, up to this many entries and organizations. */
const GROUP_ENTRIES = 10_000;
const GROUP_ORGANIZATIONS = 500;

/**
 * Replays every entry from zero to the stored balances and checks hashes, holds, grants, payments, debts, request rows,
 * assets, rollups, price rules, the chains of the audit log and that no row belongs to an organization without an account. Works in short
 * statements, each over one large organization or many small ones, so that it can run beside the gateway.
 */
export async function verifyLedger(db: Database, options: AuditOptions = {}): Promise<AuditReport> {
  const report = { organizations: 0, entries: 0, faults: [] as AuditFault[], skipsCheckpoints: false };
  const groups = groupsOf(db, options);
  async function work(): Promise<void> {
    for (let next = await groups.next(); !next.done; next = await groups.next()) {
      const result = await verifyGroup(db, next.value, options.sinceCheckpoint === true);
      report.organizations += next.value.length;
      report.entries += result.entries;
      report.skipsCheckpoints ||= result.skipsCheckpoints;
      for (const fault of result.faults) report.faults.push(fault);
    }
  }
  await Promise.all(Array.from({ length: options.atOnce ?? 1 }, work));
  if (options.orgId === undefined) report.faults.push(...(await missingAccounts(db)));
  else if (report.organizations === 0) report.faults.push(missingAccount(options.orgId, "missing"));
  if (options.orgId === undefined && options.sinceCheckpoint !== true) {
    report.faults.push(...(await loadRuleFaults(db)).slice(0, MAX_FAULTS));
  }
  report.faults.push(...(await loadActFaults(db, options.orgId ?? null)));
  return report;
}

/** All other checks start from an account, so they would miss an organization that has none. */
async function missingAccounts(db: Database): Promise<AuditFault[]> {
  const unaccounted = await loadUnaccounted(db, { most: MAX_FAULTS });
  return unaccounted.map(({ orgId, tables }) =>
    missingAccount(orgId, `missing, with rows in ${tables.join(", ")}`),
  );
}

function missingAccount(orgId: string, what: string): AuditFault {
  return { orgId, table: "accounts", row: "account", what };
}

async function* groupsOf(db: Database, options: AuditOptions): AsyncGenerator<AuditWork[]> {
  let group: AuditWork[] = [];
  let entries = 0;
  for await (const work of allWork(db, options.orgId ?? null)) {
    const newer = work.entries - (options.sinceCheckpoint === true ? (work.from?.seq ?? 0) : 0);
    if (group.length > 0 && (entries + newer > GROUP_ENTRIES || group.length === GROUP_ORGANIZATIONS)) {
      yield group;
      group = [];
      entries = 0;
    }
    group.push(work);
    entries += newer;
  }
  if (group.length > 0) yield group;
}

async function* allWork(db: Database, onlyId: string | null): AsyncGenerator<AuditWork> {
  for (let afterId: string | null = null; ; ) {
    const page: AuditWork[] = await loadAuditWork(db, { afterId, onlyId, limit: PAGE });
    yield* page;
    afterId = page.at(-1)?.orgId ?? null;
    if (afterId === null) return;
  }
}
