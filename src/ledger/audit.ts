import type { Database } from "../db/index.ts";
import { sha256 } from "../kit/index.ts";
import {
  type AccountTruth,
  compareRequests,
  loadAccountIds,
  loadAccountTruth,
  loadCheckpoint,
  type ReplayState,
  replayChunk,
  saveCheckpoint,
} from "./audit-store.ts";

/** Rows of one statement: short enough that no snapshot slows the accounts' updates. */
const CHUNK = 20_000;
/** A busy account is chased at most this often before its head is compared as it is. */
const MAX_CHASES = 200;
/** Faults reported per organization at most; one is enough to distrust it. */
const MAX_FAULTS = 50;

const GENESIS: ReplayState = { seq: 0, hash: sha256(""), subscription: 0, anytime: 0 };
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

export type AuditFault = {
  readonly orgId: string;
  readonly table: "entries" | "accounts" | "holds" | "rollups" | "requests";
  /** Which row: an entry's number, a request's id, a day. */
  readonly row: string;
  readonly what: string;
};

export type AuditReport = {
  readonly organizations: number;
  readonly entries: number;
  readonly faults: readonly AuditFault[];
};

/**
 * Replays every entry from zero to the stored balances and checks hashes, holds, rollups and request rows.
 * Works organization by organization in short statements. `sinceCheckpoint` starts each organization where
 * the last sound verification ended; it is quicker and cannot see a change before that point.
 */
export async function verifyLedger(
  db: Database,
  options: { orgId?: string; sinceCheckpoint?: boolean } = {},
): Promise<AuditReport> {
  const report = { organizations: 0, entries: 0, faults: [] as AuditFault[] };
  for await (const orgId of organizations(db, options.orgId)) {
    const result = await verifyOrganization(db, orgId, options.sinceCheckpoint === true);
    report.organizations++;
    report.entries += result.entries;
    report.faults.push(...result.faults.slice(0, MAX_FAULTS));
  }
  return report;
}

async function* organizations(db: Database, only: string | undefined): AsyncGenerator<string> {
  if (only !== undefined) {
    yield only;
    return;
  }
  let after: string | null = null;
  for (;;) {
    const page: string[] = await loadAccountIds(db, after, 1000);
    yield* page;
    after = page.at(-1) ?? null;
    if (after === null) return;
  }
}

async function verifyOrganization(
  db: Database,
  orgId: string,
  sinceCheckpoint: boolean,
): Promise<{ entries: number; faults: AuditFault[] }> {
  const checkpoint = sinceCheckpoint ? await loadCheckpoint(db, orgId) : null;
  const faults: AuditFault[] = [];
  const chargedByDay = new Map<string, number>();
  let state = checkpoint ?? GENESIS;
  let entries = 0;
  let truth: AccountTruth | undefined;
  for (let chase = 0; chase < MAX_CHASES; ) {
    const chunk = await replayChunk(db, orgId, state, CHUNK);
    entries += chunk.entries;
    state = chunk.state;
    for (const fault of chunk.faults) faults.push(entryFault(orgId, fault.seq, fault.what));
    for (const [day, charged] of chunk.chargedByDay) {
      chargedByDay.set(day, (chargedByDay.get(day) ?? 0) + charged);
    }
    if (faults.length >= MAX_FAULTS) return { entries, faults };
    if (chunk.entries === CHUNK) continue;
    truth = await loadAccountTruth(db, orgId);
    if (truth.newestSeq <= state.seq) break;
    chase++;
  }
  if (truth) faults.push(...compareAccount(orgId, state, truth));
  if (truth && checkpoint === null) faults.push(...compareRollups(orgId, chargedByDay, truth));
  if (checkpoint === null) faults.push(...(await verifyRequests(db, orgId)));
  if (faults.length === 0) await saveCheckpoint(db, orgId, state);
  return { entries, faults };
}

function entryFault(orgId: string, seq: number, what: string): AuditFault {
  return { orgId, table: "entries", row: `seq ${seq}`, what };
}

function compareAccount(orgId: string, state: ReplayState, truth: AccountTruth): AuditFault[] {
  const checks: [boolean, AuditFault["table"], string][] = [
    [
      truth.entrySeq !== state.seq,
      "entries",
      `the account's head is entry ${truth.entrySeq}, the last row is ${state.seq}`,
    ],
    [!truth.entryHash.equals(state.hash), "accounts", "entry_hash is not the hash of the last entry"],
    [
      truth.subscription !== state.subscription,
      "accounts",
      `subscription is ${truth.subscription}, its entries add up to ${state.subscription}`,
    ],
    [
      truth.anytime !== state.anytime,
      "accounts",
      `anytime is ${truth.anytime}, its entries add up to ${state.anytime}`,
    ],
    [truth.negative, "accounts", "a balance is negative"],
    [
      truth.heldSubscription !== truth.holdsSubscription,
      "holds",
      `subscription_held is ${truth.heldSubscription}, the holds add up to ${truth.holdsSubscription}`,
    ],
    [
      truth.heldAnytime !== truth.holdsAnytime,
      "holds",
      `anytime_held is ${truth.heldAnytime}, the holds add up to ${truth.holdsAnytime}`,
    ],
    [
      truth.callsInFlight !== truth.callHolds,
      "holds",
      `calls_in_flight is ${truth.callsInFlight}, there are ${truth.callHolds} holds of calls`,
    ],
    [
      truth.jobsInFlight !== truth.jobHolds,
      "holds",
      `jobs_in_flight is ${truth.jobsInFlight}, there are ${truth.jobHolds} holds of jobs`,
    ],
  ];
  return checks.filter(([wrong]) => wrong).map(([, table, what]) => ({ orgId, table, row: "account", what }));
}

function compareRollups(
  orgId: string,
  chargedByDay: ReadonlyMap<string, number>,
  truth: AccountTruth,
): AuditFault[] {
  const faults: AuditFault[] = [];
  for (const day of new Set([...chargedByDay.keys(), ...truth.rollupsByDay.keys()])) {
    const charged = chargedByDay.get(day) ?? 0;
    const reported = truth.rollupsByDay.get(day) ?? 0;
    if (charged === reported) continue;
    faults.push({
      orgId,
      table: "rollups",
      row: day,
      what: `usage reports ${reported} credits, the ledger charged ${charged}`,
    });
  }
  return faults;
}

async function verifyRequests(db: Database, orgId: string): Promise<AuditFault[]> {
  const faults: AuditFault[] = [];
  let after: string | null = LOWEST_ID;
  while (after !== null && faults.length < MAX_FAULTS) {
    const compared = await compareRequests(db, orgId, after, CHUNK);
    for (const fault of compared.faults) {
      faults.push({ orgId, table: "requests", row: fault.requestId, what: fault.what });
    }
    after = compared.lastId;
  }
  return faults;
}
