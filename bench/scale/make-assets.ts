import type { Database } from "../../gateway/src/db/index.ts";

const BATCH = 50_000;

/** A library of one organization, each asset with the request that paid for it. Rows only: a page reads no object. */
export async function addAssets(db: Database, orgId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await db.pool.query(
      `insert into assets
        select $1, gen_random_uuid(), bursar_now() - interval '80 days' + n * interval '10 s', 'image', 'assets/00/' || n,
          md5(n::text), 'image/png', 1000, sha256(n::text::bytea), 1024, 1024, null, 'model-' || n % 10,
          repeat('a prompt of some length ', 8), request_id, $1, null, 4
        from (select request_id, row_number() over (order by request_id) - 1 as n from requests
          where org_id = $1 and charged_anytime >= 4) paid
        where n >= $2::integer and n < $3::integer`,
      [orgId, from, Math.min(from + BATCH, count)],
    );
  }
}
