import type { Database } from "../../db/index.ts";
import { type AuditFault, MAX_FAULTS } from "./audit-fault.ts";

const PAGE = 20_000;
/** Of the operator's own acts. */
const OPERATORS_CHAIN = "00000000-0000-0000-0000-000000000000";

type Place = { readonly chain: string; readonly seq: string; readonly hash: Buffer };
type FaultRow = { readonly chain: string; readonly seq: string; readonly what: string };

const REPLAY = `
  with page as materialized (
    select chain, seq from audit
    where (chain, seq) > ($1::uuid, $2::bigint) and ($4::uuid is null or chain = $4) order by chain, seq limit $5
  ), linked as (
    select a as act, a.chain, a.seq, a.hash,
      lag(a.seq, 1, case when a.chain = $1 then $2::bigint else 0 end) over w as previous_seq,
      lag(a.hash, 1, case when a.chain = $1 then $3::bytea else sha256('') end) over w as previous
    from page join audit a using (chain, seq)
    window w as (partition by a.chain order by a.seq)
  ), judged as (
    select chain, seq, hash, row_number() over (order by chain desc, seq desc) as from_end,
      case when seq <> previous_seq + 1 then 'acts before it are missing'
        when hash <> audit_hash(previous, act) then 'the row does not match its hash' end as what
    from linked
  )
  select chain, seq::text, hash, what, from_end = 1 as "isLast" from judged
  where what is not null or from_end = 1 order by chain, seq limit $6`;

const HEADS = `
  select coalesce(h.chain, l.chain) as chain, coalesce(h.seq, l.seq)::text as seq,
    'the newest act is not the one that the chain ends with' as what
  from audit_heads h full join (
    select distinct on (chain) chain, seq, hash from audit order by chain, seq desc) l on l.chain = h.chain
  where (h.seq, h.hash) is distinct from (l.seq, l.hash) and ($1::uuid is null or $1 in (h.chain, l.chain)) limit $2`;

/** Replays the audit log's chains, of one organization or of all and the operator's, in short statements. */
export async function loadActFaults(db: Database, orgId: string | null): Promise<AuditFault[]> {
  const faults: FaultRow[] = [];
  let from: Place = { chain: OPERATORS_CHAIN, seq: "0", hash: EMPTY };
  for (;;) {
    const { rows } = await db.pool.query<Place & FaultRow & { readonly isLast: boolean }>(REPLAY, [
      from.chain,
      from.seq,
      from.hash,
      orgId,
      PAGE,
      PAGE,
    ]);
    faults.push(...rows.filter(({ what }) => what !== null));
    const last = rows.find(({ isLast }) => isLast);
    if (!last || faults.length >= MAX_FAULTS) break;
    from = last;
  }
  const heads = await db.pool.query<FaultRow>(HEADS, [orgId, MAX_FAULTS]);
  return [...faults, ...heads.rows].slice(0, MAX_FAULTS).map(({ chain, seq, what }) => ({
    orgId: chain === OPERATORS_CHAIN ? null : chain,
    table: "audit",
    row: `act ${seq}`,
    what,
  }));
}

/** What each chain begins with. */
const EMPTY = Buffer.from("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hex");
