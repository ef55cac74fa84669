import { companionLanes, type Database, isLockTimeout } from "../db/index.ts";
import { assert, createBatcher, failpoint, type OnFailedBatch, overloaded } from "../kit/index.ts";
import type { Epoch, LeaseKeeper } from "../ledger/index.ts";
import type { Admission, AdmissionCall, Decision } from "./call.ts";
import { createReadReply } from "./kept-replies.ts";
import { admitOne, isPlain } from "./single-store.ts";
import { admitAll, loadIsRepeat } from "./store.ts";

/**
 * Decides calls that arrived together in one transaction. A single plain call tries the short function first, which can
 * only admit; every other outcome comes from the full one.
 */
export async function admitTogether(
  db: Database,
  epoch: Epoch,
  calls: readonly AdmissionCall[],
): Promise<readonly Decision[]> {
  const [single] = calls;
  if (calls.length === 1 && single !== undefined && isPlain(single)) {
    const admitted = await admitOne(db, epoch, single);
    if (admitted !== null) return [admitted];
  }
  return admitAll(db, epoch, calls, false);
}

const MAX_BATCH = 512;
/** With this many calls waiting, a new one is refused at once: it would wait too long to be useful. */
const MAX_WAITING = 5_000;

/** What decides whether a call is a repeat. */
type RepeatQuestion = Pick<AdmissionCall, "orgId" | "keyId" | "endpoint" | "idempotency">;

export type Admitter = {
  /**
   * Checks rate, in-flight calls, idempotency and balance and makes the hold, in one round trip shared with concurrent
   * calls.
   */
  admit(call: AdmissionCall): Promise<Admission>;
  /** True if the idempotency key is already taken, so that nothing need be prepared. Only a hint: `admit` decides. */
  isRepeat(call: RepeatQuestion): Promise<boolean>;
  readonly waiting: number;
};

export function createAdmitter(input: {
  db: Database;
  lease: LeaseKeeper;
  onFailedBatch?: OnFailedBatch;
}): Admitter {
  const readReply = createReadReply(input.db);
  const calls = createBatcher<AdmissionCall, Decision>({
    ...admittingBy(input.db, input.lease),
    maxItems: MAX_BATCH,
    maxQueue: MAX_WAITING,
    overflow: () => overloaded(),
    onFailedBatch: input.onFailedBatch,
    lockedOut: {
      ownerOf: ({ orgId }) => orgId,
      isIt: isLockTimeout,
      beside: admittingBy(companionLanes(input.db), input.lease),
    },
  });

  async function decideRepeatable(call: AdmissionCall, key: string): Promise<Admission> {
    const decision = await calls.submit(call);
    if (decision.outcome !== "replay") return decision;
    const { orgId, endpoint } = call;
    return { ...decision, reply: await readReply({ orgId, endpoint, key, requestId: decision.requestId }) };
  }

  return {
    admit(call) {
      // Otherwise the database would hold the lower amount, and the call would run on less than it needs.
      assert(call.minimum <= call.full, "a minimum above the full amount");
      if (call.idempotency !== null) return decideRepeatable(call, call.idempotency.key);
      // Without an idempotency key it cannot be a replay.
      return calls.submit(call) as Promise<Admission>;
    },
    async isRepeat({ orgId, keyId, endpoint, idempotency }) {
      if (idempotency === null) return false;
      // Only a hint: if the database cannot answer, the admission that follows reports why.
      return loadIsRepeat(input.db, { orgId, keyId, endpoint, key: idempotency.key }).catch(() => false);
    },
    get waiting() {
      return calls.waiting;
    },
  };
}

function admittingBy(db: Database, lease: LeaseKeeper) {
  return {
    async run(items: readonly AdmissionCall[]): Promise<readonly Decision[]> {
      await failpoint("before_hold");
      const answers = await admitTogether(db, lease.current, items);
      await failpoint("after_hold_sql");
      return answers;
    },
    rerun: async (item: AdmissionCall) => (await admitAll(db, lease.current, [item], true))[0] as Decision,
  };
}
