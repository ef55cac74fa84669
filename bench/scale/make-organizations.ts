import type { Database } from "../../gateway/src/db/index.ts";
import { createKeyCodec } from "../../gateway/src/identity/keys/key-codec.ts";
import { newId } from "../../gateway/src/kit/index.ts";

/** An organization of the bench: its id, and a key that can make calls. */
export type ScaleOrganization = { readonly id: string; readonly keyId: string; readonly key: string };

const codec = createKeyCodec("svc_live_");
/** Enough for every call of a run, and easy to count. */
export const STARTING_CREDITS = 1_000_000_000;
const BATCH = 5_000;

/** Created in SQL, thousands at a time, each with one key and one grant whose entry begins a valid hash chain. */
export async function makeOrganizations(
  db: Database,
  count: number,
  options: { credits?: number; requestsPerMinute?: number; inFlight?: number } = {},
): Promise<ScaleOrganization[]> {
  const made = Array.from({ length: count }, () => ({ id: newId(), keyId: newId(), key: codec.mint() }));
  for (let from = 0; from < count; from += BATCH) {
    const batch = made.slice(from, from + BATCH);
    const ids = batch.map(({ id }) => id);
    await db.transaction(async (client) => {
      await client.query(
        `insert into organization (id, name, slug, plan) select id, id::text, id::text, 'pro' from unnest($1::uuid[]) id`,
        [ids],
      );
      await client.query(
        `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, requests_per_minute, in_flight)
         select k.id, k.org_id, 'bench', sha256(k.key::bytea), right(k.key, 4), '{chat,usage}', $4::integer, $5::integer
         from unnest($1::uuid[], $2::uuid[], $3::text[]) as k (id, org_id, key)`,
        [
          batch.map(({ keyId }) => keyId),
          ids,
          batch.map(({ key }) => key),
          options.requestsPerMinute ?? null,
          options.inFlight ?? null,
        ],
      );
      await client.query(GRANT, [ids, options.credits ?? STARTING_CREDITS]);
    });
  }
  return made;
}

const GRANT = `
  with clock as (select bursar_now() - interval '85 days' as at), granted as (
    insert into entries
    select a.org_id, 1, at, 'grant', 'anytime', $2::bigint, $2::bigint, null, a.org_id::text, 'bench',
      entry_hash(a.entry_hash, a.org_id, 1, at, 'grant', 'anytime', $2::bigint, $2::bigint, null, a.org_id::text, 'bench')
    from accounts a, clock where a.org_id = any($1::uuid[]) returning org_id, hash
  ), noted as (
    insert into grants select org_id, org_id, at, 'anytime', 'manual', $2::bigint, null, null, null from granted, clock
  )
  update accounts a set anytime_available = $2::bigint, entry_seq = 1, entry_hash = g.hash
  from granted g where a.org_id = g.org_id`;
