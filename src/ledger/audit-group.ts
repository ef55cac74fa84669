import type { Database } from "../db/index.ts";
import { present, sha256 } from "../kit/index.ts";
import { compareAccount, compareRollups } from "./audit-compare.ts";
import { type AuditFault, MAX_FAULTS } from "./audit-fault.ts";
import { compareRequests } from "./audit-requests-store.ts";
import {
  type AccountTruth,
  type AuditWork,
  loadAccountTruths,
  type ReplayChunk,
  type ReplayState,
  replayChunks,
  saveCheckpoints,
} from "./audit-store.ts";

/** Rows of one statement: short enough that no snapshot slows the accounts' updates. */
const CHUNK = 20_000;
/** Requests of one round of a small organization at least: more of them than entries is rare, but no fault. */
const MIN_REQUESTS = 100;

const GENESIS: ReplayState = { seq: 0, hash: sha256(""), subscription: 0, anytime: 0 };
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

type Verified = {
  readonly entries: number;
  readonly faultsByOrganization: ReadonlyMap<string, readonly AuditFault[]>;
};

/** Where the verification of one organization stands. */
type Progress = {
  readonly orgId: string;
  readonly isWhole: boolean;
  /** As it stood before the replay, which ends at its newest entry: a busy account goes on meanwhile. */
  readonly truth: AccountTruth;
  readonly untilSeq: number;
  state: ReplayState;
  readonly chargedByDay: Map<string, number>;
  readonly faults: AuditFault[];
};

/** Verifies some organizations side by side: each statement takes the next part of all that are not done. */
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
  await verifyRequests(
    db,
    all.filter((one) => one.isWhole && one.faults.length < MAX_FAULTS),
  );
  const sound = all.filter((one) => one.faults.length === 0);
  await saveCheckpoints(db, new Map(sound.map((one) => [one.orgId, one.state])));
  return { entries, faultsByOrganization: new Map(all.map((one) => [one.orgId, one.faults])) };
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
  for (const { seq, what } of chunk.faults) {
    one.faults.push({ orgId: one.orgId, table: "entries", row: `seq ${seq}`, what });
  }
  for (const [day, charged] of chunk.chargedByDay) {
    one.chargedByDay.set(day, (one.chargedByDay.get(day) ?? 0) + charged);
  }
}

function compareOne(one: Progress): void {
  one.faults.push(...compareAccount(one.orgId, one.state, one.truth));
  if (one.isWhole) one.faults.push(...compareRollups(one.orgId, one.chargedByDay, one.truth));
}

async function verifyRequests(db: Database, all: readonly Progress[]): Promise<void> {
  const limit = Math.max(MIN_REQUESTS, Math.floor(CHUNK / Math.max(all.length, 1)));
  const byId = new Map(all.map((one) => [one.orgId, one]));
  let after = new Map(all.map((one) => [one.orgId, LOWEST_ID]));
  while (after.size > 0) {
    const compared = await compareRequests(db, after, limit);
    after = new Map();
    for (const [orgId, { lastId, faults }] of compared) {
      const one = present(byId.get(orgId), "an organization that was asked for");
      for (const { requestId, what } of faults) {
        one.faults.push({ orgId, table: "requests", row: requestId, what });
      }
      if (lastId !== null && one.faults.length < MAX_FAULTS) after.set(orgId, lastId);
    }
  }
}
