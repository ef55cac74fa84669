import pg from "pg";

/** One account, its holds, and its entries since the last read, all at one moment. */
export type AccountSnapshot = {
  readonly org: string;
  readonly subscription: readonly [available: number, held: number];
  readonly anytime: readonly [available: number, held: number];
  readonly debt: number;
  readonly heldByHolds: readonly [subscription: number, anytime: number];
  readonly head: number;
  readonly entries: readonly SeenEntry[];
};

export type SeenEntry = {
  readonly seq: number;
  readonly pool: "subscription" | "anytime";
  readonly amount: number;
  readonly after: number;
  readonly hash: string;
};

type LedgerReader = {
  /** `heads`: the last entry seen, per organization. */
  read(heads: ReadonlyMap<string, number>): Promise<readonly AccountSnapshot[]>;
  close(): Promise<void>;
};

/** One statement, hence one snapshot. Every part uses an index, so that the reader does not slow what it reads. */
const READ = `
  select a.org_id as org, a.debt::float8 as debt, a.entry_seq::float8 as head,
    json_build_array(a.subscription_available, a.subscription_held) as subscription,
    json_build_array(a.anytime_available, a.anytime_held) as anytime,
    (select json_build_array(coalesce(sum(h.subscription), 0), coalesce(sum(h.anytime), 0)) from holds h
      where h.org_id = a.org_id) as "heldByHolds",
    (select coalesce(json_agg(json_build_object('seq', e.seq, 'pool', e.pool, 'amount', e.amount,
        'after', e.balance_after, 'hash', encode(e.hash, 'hex')) order by e.seq), '[]') from entries e
      where e.org_id = a.org_id and e.seq > coalesce(k.seq, 0)) as entries
  from accounts a left join unnest($1::uuid[], $2::bigint[]) as k (org_id, seq) on k.org_id = a.org_id`;

const LIMIT_MS = 5_000;

export function connectReader(url: string): LedgerReader {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: "ledger reader",
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    async read(heads) {
      const { rows } = await pool.query<AccountSnapshot>({
        name: "read",
        text: READ,
        values: [[...heads.keys()], [...heads.values()]],
      });
      return rows;
    },
    close: () => pool.end(),
  };
}
