import type { Database } from "../../gateway/src/db/index.ts";

/** How often the books are checked while calls run: each check costs the database some milliseconds. */
const EVERY_MS = 500;

type BookWatch = {
  readonly looks: () => number;
  /** Resolves to the organizations whose books were wrong at any check. */
  stop(): Promise<readonly string[]>;
};

/** Checks, each in one snapshot, that every balance is the grants less the charges, and that every hold adds up. */
export function watchBooks(db: Database, orgIds: readonly string[]): BookWatch {
  let looks = 0;
  let stopping = false;
  const wrong: string[] = [];
  async function watch(): Promise<void> {
    while (!stopping) {
      const { rows } = await db.pool.query<{ org_id: string }>(WRONG, [orgIds]);
      looks++;
      wrong.push(...rows.map((row) => row.org_id));
      await Bun.sleep(EVERY_MS);
    }
  }
  const watching = watch();
  return {
    looks: () => looks,
    async stop() {
      stopping = true;
      await watching;
      return wrong;
    },
  };
}

const WRONG = `
  select a.org_id from accounts a
    cross join lateral (select coalesce(sum(amount), 0) as balance from entries e where e.org_id = a.org_id) e
    cross join lateral (
      select coalesce(sum(subscription + anytime), 0) as held, count(*) as calls from holds h where h.org_id = a.org_id) h
  where a.org_id = any($1::uuid[]) and (
    a.subscription_available + a.subscription_held + a.anytime_available + a.anytime_held <> e.balance
    or a.subscription_held + a.anytime_held <> h.held or a.calls_in_flight <> h.calls)`;

type Balance = { readonly available: number; readonly held: number };

export async function loadBalances(
  db: Database,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, Balance>> {
  const { rows } = await db.pool.query<{ org_id: string; available: string; held: string }>(
    `select org_id, subscription_available + anytime_available as available, subscription_held + anytime_held as held
     from accounts where org_id = any($1::uuid[])`,
    [orgIds],
  );
  return new Map(
    rows.map((row) => [row.org_id, { available: Number(row.available), held: Number(row.held) }]),
  );
}

/** Admitted calls by the minute of the database's clock. */
export async function loadCallsByMinute(db: Database, orgId: string): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.pool.query<{ minute: string; calls: string }>(
    `select floor(extract(epoch from created_at) / 60)::bigint as minute, count(*) as calls
     from requests where org_id = $1 group by 1`,
    [orgId],
  );
  return new Map(rows.map((row) => [Number(row.minute), Number(row.calls)]));
}
