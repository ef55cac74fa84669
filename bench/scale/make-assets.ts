import type { Database } from "../../src/db/index.ts";

const BATCH = 50_000;

/** A library of one organization: rows alone, since a page reads no object. */
export async function addAssets(db: Database, orgId: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await db.pool.query(
      `insert into assets
        select $1, gen_random_uuid(), bursar_now() - interval '80 days' + n * interval '10 s', 'image', 'assets/00/' || n,
          md5(n::text), 'image/png', 1000, sha256(n::text::bytea), 1024, 1024, null, 'model-' || n % 10,
          repeat('a prompt of some length ', 8), gen_random_uuid(), $1, null, 4
        from generate_series($2::integer, $3::integer - 1) n`,
      [orgId, from, Math.min(from + BATCH, count)],
    );
  }
}
