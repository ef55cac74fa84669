import type { Database } from "../../gateway/src/db/index.ts";
import { verifyLedger } from "../../gateway/src/ledger/index.ts";
import { readAppendLog } from "./append-log.ts";
import { type Check, createFaults } from "./check.ts";
import type { ReaderReport } from "./ledger-reader-process.ts";
import type { LedgerLine } from "./ledger-replay.ts";

/**
 * Checks the ledger by itself: its hash chain, its sums, what is left over, and that it kept every entry ever seen in
 * it.
 */
export async function checkLedger(input: {
  db: Database;
  ledgerLog: string;
  reader: ReaderReport;
  paid: ReadonlyMap<string, number>;
}): Promise<readonly Check[]> {
  const { db, reader } = input;
  const audit = await verifyLedger(db);
  return [
    {
      what: "the ledger is sound (bursar ledger verify)",
      looked: `${audit.entries} entries`,
      faults: audit.faults
        .slice(0, 20)
        .map((fault) => `${fault.orgId} ${fault.table} ${fault.row}: ${fault.what}`),
    },
    {
      what: "at every read no balance was negative, and each was the sum of its entries",
      looked: `${reader.reads} reads`,
      faults: reader.faults,
    },
    await checkKept(db, input.ledgerLog),
    await checkQuiet(db),
    await checkPaid(db, input.paid),
  ];
}

const PAGE = 5_000;

/** An entry that was seen was committed: whatever happened to the database since, it must still be there, unchanged. */
async function checkKept(db: Database, ledgerLog: string): Promise<Check> {
  const faults = createFaults();
  let looked = 0;
  let page: LedgerLine[] = [];
  const compare = async () => {
    const { rows } = await db.pool.query<{ lost: string }>(
      `select k.org || ' ' || k.seq as lost from unnest($1::uuid[], $2::bigint[], $3::text[]) as k (org, seq, hash)
       where not exists (select from entries e
         where e.org_id = k.org and e.seq = k.seq and encode(e.hash, 'hex') = k.hash)`,
      [page.map(({ org }) => org), page.map(({ seq }) => seq), page.map(({ hash }) => hash)],
    );
    for (const { lost } of rows) faults.add(`entry ${lost} was there and is lost`);
    looked += page.length;
    page = [];
  };
  for (const line of readAppendLog<LedgerLine>(ledgerLog)) {
    page.push(line);
    if (page.length === PAGE) await compare();
  }
  await compare();
  return { what: "no entry that was ever read was lost", looked: `${looked} entries`, faults: faults.list };
}

async function checkQuiet(db: Database): Promise<Check> {
  const { rows } = await db.pool.query<{ left: string }>(
    `select 'hold ' || request_id || ' (' || kind || ')' as left from holds
     union all select 'account ' || org_id || ' holds credits' from accounts
       where subscription_held + anytime_held + calls_in_flight + jobs_in_flight > 0
     union all select 'job ' || request_id || ' is ' || status from video_jobs where status = 'processing'
     union all select 'key ' || key_id || ' counts calls' from key_windows where calls_in_flight > 0
     limit 20`,
  );
  return { what: "no hold is left", looked: "all accounts", faults: rows.map(({ left }) => left) };
}

async function checkPaid(db: Database, paid: ReadonlyMap<string, number>): Promise<Check> {
  const faults = createFaults();
  const { rows } = await db.pool.query<{ org_id: string; granted: number }>(
    "select org_id, sum(amount)::int as granted from grants where kind = 'pack' group by 1",
  );
  const granted = new Map(rows.map((row) => [row.org_id, row.granted]));
  let payments = 0;
  for (const orgId of new Set([...paid.keys(), ...granted.keys()])) {
    payments += paid.get(orgId) ?? 0;
    if (granted.get(orgId) === paid.get(orgId)) continue;
    faults.add(`${orgId} paid for ${paid.get(orgId) ?? 0} and was granted ${granted.get(orgId) ?? 0}`);
  }
  return { what: "top-ups equal payments", looked: `${payments} credits`, faults: faults.list };
}
