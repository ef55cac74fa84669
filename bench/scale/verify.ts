import type { Database } from "../../gateway/src/db/index.ts";
import { assert } from "../../gateway/src/kit/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";

export type VerifyFigures = {
  readonly entries: number;
  readonly organizations: number;
  readonly seconds: number;
  /** Verification since the last checkpoint, with nothing new. */
  readonly sinceCheckpointSeconds: number;
  /** Time to find one row that was changed by hand, in the largest organization. */
  readonly forgedSeconds: number;
};

/** As many as the command line uses. */
const AT_ONCE = 4;

/** The whole audit, the quick one, and whether a row that is changed by one credit is found. */
export async function measureVerify(db: Database, orgId: string): Promise<VerifyFigures> {
  const whole = await timed(() => verifyLedger(db, { atOnce: AT_ONCE }));
  const { faults } = whole.result;
  assert(
    faults.length === 0,
    `the ledger has ${faults.length} faults, such as ${JSON.stringify(faults.slice(0, 3))}`,
  );
  const quick = await timed(() => verifyLedger(db, { sinceCheckpoint: true, atOnce: AT_ONCE }));
  assert(quick.result.faults.length === 0, "nothing is new, and there is a fault");
  const seq = await forge(db, orgId);
  const forged = await timed(() => verifyLedger(db, { orgId }));
  const named = forged.result.faults.some((fault) => fault.table === "entries" && fault.row === `seq ${seq}`);
  assert(named, `the changed entry ${seq} was not found`);
  return {
    entries: whole.result.entries,
    organizations: whole.result.organizations,
    seconds: whole.seconds,
    sinceCheckpointSeconds: quick.seconds,
    forgedSeconds: forged.seconds,
  };
}

/** As somebody with the database's password could: the table itself refuses changes. */
async function forge(db: Database, orgId: string): Promise<number> {
  return db.transaction(async (client) => {
    await client.query("set local session_replication_role = replica");
    const { rows } = await client.query<{ seq: string }>(
      `update entries set amount = amount - 1 where org_id = $1
        and seq = (select entry_seq / 2 from accounts where org_id = $1) returning seq`,
      [orgId],
    );
    return Number(rows[0]?.seq);
  });
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedMs) / 1000 };
}
