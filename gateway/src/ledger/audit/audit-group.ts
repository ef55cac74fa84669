import type { Database } from "../../db/index.ts";
import { present, sha256 } from "../../kit/index.ts";
import { compareAssets } from "./audit-assets-store.ts";
import { loadBackingFaults } from "./audit-backing-store.ts";
import { compareAccount, compareRollups, compareSums } from "./audit-compare.ts";
import { type AuditFault, faultOfEntry, MAX_FAULTS } from "./audit-fault.ts";
import { LOWEST_ID } from "./audit-ids.ts";
import { loadPaymentFaults } from "./audit-payments-store.ts";
import { type ComparedRequests, compareRequests } from "./audit-requests-store.ts";
import {
  type AccountTruth,
  type AuditWork,
  loadAccountTruths,
  type ReplayChunk,
  type ReplayState,
  replayChunks,
  saveCheckpoints,
} from "./audit-store.ts";
import { addSums, type DaySums, loadRollupSums } from "./audit-sums-store.ts";

/** Rows per statement: few enough that no long-lived snapshot slows down updates of the accounts. */
const CHUNK = 20_000;
/**
 * Fewest requests per round for a small organization, which may have more requests than entries: rare, but not a fault.
 */
const MIN_REQUESTS = 100;

const GENESIS: ReplayState = { seq: 0, hash: sha256(""), subscription: 0, anytime: 0 };

type Verified = {
  readonly entries: number;
  readonly skipsCheckpoints: boolean;
  /** At most MAX_FAULTS per organization. */
  readonly faults: readonly AuditFault[];
};

/** Progress of the verification of one organization. */
type Progress = {
  readonly orgId: string;
  readonly isWhole: boolean;
  /**
   * The account before the replay. The replay stops at the newest entry of that moment, since a busy account goes on.
   */
  readonly truth: AccountTruth;
  readonly untilSeq: string;
  state: ReplayState;
  readonly chargedByDay: Map<string, number>;
  readonly faults: AuditFault[];
};

/** Verifies several organizations side by side: each statement takes the next chunk of every unfinished one. */
export async function verifyGroup(
  db: Database,
  group: readonly AuditWork[],
  sinceCheckpoint: boolean,
): Promise<Verified> {
  const truths = await loadAccountTruths(
    db,
    group.map((work) => work.orgId),
  );
  const all = group.map((work): Progress => {
    const checkpoint = sinceCheckpoint ? work.from : null;
    const truth = present(truths.get(work.orgId), "an account");
    return {
      orgId: work.orgId,
      isWhole: checkpoint === null,
      truth,
      untilSeq: truth.newestSeq,
      state: checkpoint ?? GENESIS,
      chargedByDay: new Map(),
      faults: [],
    };
  });
  const entries = await replayAll(db, all);
  for (const one of all) if (one.faults.length < MAX_FAULTS) compareOne(one);
  await verifyRows(
    db,
    all.filter((one) => one.isWhole && one.faults.length < MAX_FAULTS),
  );
  const sound = all.filter((one) => one.faults.length === 0);
  const isSaved = await saveCheckpoints(db, new Map(sound.map((one) => [one.orgId, one.state])));
  return {
    entries,
    skipsCheckpoints: !isSaved,
    faults: all.flatMap((one) => one.faults.slice(0, MAX_FAULTS)),
  };
}

async function replayAll(db: Database, all: readonly Progress[]): Promise<number> {
  let entries = 0;
  let left = all;
  while (left.length > 0) {
    const chunks = await replayChunks(db, left, CHUNK);
    const unfinished: Progress[] = [];
    for (const one of left) {
      const chunk = chunks.get(one.orgId);
      if (chunk === undefined) continue;
      takeChunk(one, chunk);
      entries += chunk.entries;
      if (chunk.entries === CHUNK && one.faults.length < MAX_FAULTS) unfinished.push(one);
    }
    left = unfinished;
  }
  return entries;
}

function takeChunk(one: Progress, chunk: ReplayChunk): void {
  one.state = chunk.state;
  one.faults.push(...chunk.faults.map((fault) => faultOfEntry(one.orgId, fault)));
  for (const [day, charged] of chunk.chargedByDay) {
    one.chargedByDay.set(day, (one.chargedByDay.get(day) ?? 0) + charged);
  }
}

function compareOne(one: Progress): void {
  one.faults.push(...compareAccount(one.orgId, one.state, one.truth));
  if (one.isWhole) one.faults.push(...compareRollups(one.orgId, one.chargedByDay, one.truth));
}

/** Checks every table that must agree with the entries. */
async function verifyRows(db: Database, all: readonly Progress[]): Promise<void> {
  if (all.length === 0) return;
  const byId = new Map(all.map((one) => [one.orgId, one]));
  const orgIds = [...byId.keys()];
  for (const load of [loadBackingFaults, loadPaymentFaults]) {
    for (const { orgId, ...fault } of await load(db, orgIds)) {
      present(byId.get(orgId), "an organization that was asked for").faults.push({ orgId, ...fault });
    }
  }
  await verifyInChunks({ db, byId, table: "assets", compare: compareAssets });
  const before = await loadRollupSums(db, orgIds);
  const requests = new Map(orgIds.map((orgId): [string, DaySums] => [orgId, new Map()]));
  const misfits = await verifyInChunks({
    db,
    byId,
    table: "requests",
    compare: compareRequests,
    take: (orgId, { sums }) => addSums(requests.get(orgId) ?? new Map(), sums),
  });
  const own = (sums: ReadonlyMap<string, DaySums>, orgId: string) => sums.get(orgId) ?? new Map();
  // A changed request row also makes its day's sums differ. The row's fault says more, so only that is reported.
  const differing = orgIds.filter((orgId) => {
    if (misfits.has(orgId)) return false;
    const reported = own(before, orgId);
    return compareSums(orgId, own(requests, orgId), { before: reported, after: reported }).length > 0;
  });
  if (differing.length === 0) return;
  const after = await loadRollupSums(db, differing);
  for (const orgId of differing) {
    const reported = { before: own(before, orgId), after: own(after, orgId) };
    byId.get(orgId)?.faults.push(...compareSums(orgId, own(requests, orgId), reported));
  }
}

/** Returns the organizations in which something was found. */
async function verifyInChunks<Compared extends ComparedRequests>(input: {
  readonly db: Database;
  readonly byId: ReadonlyMap<string, Progress>;
  readonly table: "requests" | "assets";
  readonly compare: (
    db: Database,
    after: ReadonlyMap<string, string>,
    limit: number,
  ) => Promise<ReadonlyMap<string, Compared>>;
  /** Called with everything that was compared, whether or not it has faults. */
  readonly take?: (orgId: string, compared: Compared) => void;
}): Promise<ReadonlySet<string>> {
  const { db, byId, table, compare, take } = input;
  const limit = Math.max(MIN_REQUESTS, Math.floor(CHUNK / Math.max(byId.size, 1)));
  const found = new Set<string>();
  let after = new Map([...byId.keys()].map((orgId) => [orgId, LOWEST_ID]));
  while (after.size > 0) {
    const compared = await compare(db, after, limit);
    after = new Map();
    for (const [orgId, part] of compared) {
      const one = present(byId.get(orgId), "an organization that was asked for");
      take?.(orgId, part);
      for (const { requestId, what } of part.faults) {
        found.add(orgId);
        one.faults.push({ orgId, table, row: requestId, what });
      }
      if (part.lastId !== null && one.faults.length < MAX_FAULTS) after.set(orgId, part.lastId);
      else if (part.lastId !== null) found.add(orgId);
    }
  }
  return found;
}
