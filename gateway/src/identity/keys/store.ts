import type pg from "pg";
import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";
import type { KeyLimits } from "../principal.ts";
import { isScope, type Scope } from "../scopes.ts";

/** A key as people may see it, without the secret. */
export type ApiKey = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly limits: KeyLimits;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly mintedBy: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** Scopes may be those of a later version. */
type ApiKeyRow = Omit<ApiKey, "scopes"> & { readonly scopes: readonly string[] };

const COLUMNS = `id, org_id as "organizationId", name, last_four as "lastFour", scopes,
  json_build_object('requestsPerMinute', requests_per_minute, 'inFlight', in_flight) as limits,
  expires_at as "expiresAt", revoked_at as "revokedAt", minted_by as "mintedBy", created_at as "createdAt",
  last_used_at as "lastUsedAt"`;

function keyFromRow(row: ApiKeyRow): ApiKey {
  return { ...row, scopes: row.scopes.filter(isScope) };
}

type KeyState = "live" | "revoked" | "expired";

const STATE = `case when revoked_at is not null then 'revoked'
  when expires_at <= bursar_now() then 'expired' else 'live' end`;

export async function countLiveKeys(client: Queryable, organizationId: string): Promise<number> {
  const { rows } = await client.query<{ live: number }>(
    `select count(*)::int as live from api_keys where org_id = $1 and not internal and ${STATE} = 'live'`,
    [organizationId],
  );
  return present(rows[0], "the number of keys").live;
}

/** Keys created by people within a day that are already dead. Limited because their rows are never deleted. */
export async function countDiscardedKeys(client: Queryable, organizationId: string): Promise<number> {
  const { rows } = await client.query<{ discarded: number }>(
    `select count(*)::int as discarded from api_keys
      where org_id = $1 and minted_by is not null and created_at > bursar_now() - interval '1 day' and ${STATE} <> 'live'`,
    [organizationId],
  );
  return present(rows[0], "the number of keys").discarded;
}

/** True if the moment is after the database's current time, by at most `mostMs`. */
export async function isAhead(client: Queryable, moment: Date, mostMs: number): Promise<boolean> {
  const { rows } = await client.query<{ ahead: boolean }>(
    `select $1::timestamptz > bursar_now()
        and $1::timestamptz <= bursar_now() + $2::float8 * interval '1 millisecond' as ahead`,
    [moment, mostMs],
  );
  return present(rows[0], "a moment beside the clock").ahead;
}

type NewKey = {
  id: string;
  organizationId: string;
  name: string;
  secretHash: Buffer;
  lastFour: string;
  scopes: readonly Scope[];
  limits: KeyLimits;
  expiresInMs: number | null;
  expiresAt: Date | null;
  mintedBy: string | null;
};

export async function insertKey(client: Queryable, key: NewKey): Promise<ApiKey> {
  const { rows } = await client.query<ApiKeyRow>(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, requests_per_minute, in_flight,
       expires_at, minted_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8,
       least(bursar_now() + $9::float8 * interval '1 millisecond', $10::timestamptz), $11)
     returning ${COLUMNS}`,
    [
      key.id,
      key.organizationId,
      key.name,
      key.secretHash,
      key.lastFour,
      key.scopes,
      key.limits.requestsPerMinute,
      key.limits.inFlight,
      key.expiresInMs,
      key.expiresAt,
      key.mintedBy,
    ],
  );
  return keyFromRow(present(rows[0], "the minted key"));
}

/** The console's own key, if it exists already. */
export async function loadInternalKey(db: Queryable, organizationId: string): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>({
    name: "internal_key",
    text: `select ${COLUMNS} from api_keys where org_id = $1 and internal and revoked_at is null`,
    values: [organizationId],
  });
  return rows[0] && keyFromRow(rows[0]);
}

/** Of several concurrent inserts, one wins. The hash belongs to no secret, so nobody can ever call with it. */
export async function saveInternalKey(
  db: Queryable,
  key: { id: string; organizationId: string; name: string; secretHash: Buffer; scopes: readonly Scope[] },
): Promise<void> {
  await db.query(
    `insert into api_keys (id, org_id, name, secret_hash, last_four, scopes, internal)
     select $1, id, $3, $4, 'none', $5, true from organization where id = $2
     on conflict (org_id) where internal and revoked_at is null do nothing`,
    [key.id, key.organizationId, key.name, key.secretHash, key.scopes],
  );
}

/** Live keys come first, since a key that is not listed could not be revoked. Excludes the console's own key. */
const LISTED = `(select * from api_keys where org_id = $1 and not internal
  order by ${STATE} = 'live' desc, created_at desc, id desc limit $2)`;

/** Newest first. */
export async function loadKeys(db: Queryable, organizationId: string, limit: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `select ${COLUMNS} from ${LISTED} k order by created_at desc, id desc`,
    [organizationId, limit],
  );
  return rows.map(keyFromRow);
}

export async function loadKey(db: Queryable, keyId: string): Promise<ApiKey | undefined> {
  const { rows } = await db.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys where id = $1 and not internal`,
    [keyId],
  );
  return rows[0] && keyFromRow(rows[0]);
}

/** Undefined if the organization has no such key; somebody else's key counts as none. */
export async function loadKeyState(
  client: Queryable,
  key: { organizationId: string; keyId: string },
): Promise<KeyState | undefined> {
  const { rows } = await client.query<{ state: KeyState }>(
    `select ${STATE} as state
     from api_keys where org_id = $1 and id = $2 and not internal for no key update`,
    [key.organizationId, key.keyId],
  );
  return rows[0]?.state;
}

/** What a list shows besides the keys; it changes with time alone. */
export type KeyStanding = { readonly state: KeyState; readonly graceEndsAt: Date | null };

export async function loadKeyStandings(
  db: Queryable,
  organizationId: string,
  limit: number,
): Promise<Map<string, KeyStanding>> {
  const { rows } = await db.query<KeyStanding & { id: string }>(
    `select id, ${STATE} as state,
       (select max(r.expires_at) from api_key_retired_secrets r
        where r.key_id = k.id and r.expires_at > bursar_now()) as "graceEndsAt"
     from ${LISTED} k`,
    [organizationId, limit],
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

type Rotation = {
  keyId: string;
  secretHash: Buffer;
  lastFour: string;
  graceMs: number;
  /** How many retired secrets are remembered; older ones become unknown. */
  maxRetired: number;
};

/** Older secrets never outlive the new grace period, so a grace of 0 ends them all. */
export async function saveRotation(client: Queryable, rotation: Rotation): Promise<ApiKey> {
  await client.query(
    `update api_key_retired_secrets
     set expires_at = least(expires_at, bursar_now() + $2::float8 * interval '1 millisecond') where key_id = $1`,
    [rotation.keyId, rotation.graceMs],
  );
  await client.query(
    `insert into api_key_retired_secrets (secret_hash, key_id, expires_at)
     select secret_hash, id, bursar_now() + $2::float8 * interval '1 millisecond' from api_keys where id = $1`,
    [rotation.keyId, rotation.graceMs],
  );
  await client.query(
    `delete from api_key_retired_secrets where secret_hash in (
       select secret_hash from api_key_retired_secrets where key_id = $1
       order by retired_at desc, secret_hash offset $2)`,
    [rotation.keyId, rotation.maxRetired],
  );
  const { rows } = await client.query<ApiKeyRow>(
    `update api_keys set secret_hash = $2, last_four = $3 where id = $1 returning ${COLUMNS}`,
    [rotation.keyId, rotation.secretHash, rotation.lastFour],
  );
  return keyFromRow(present(rows[0], "the rotated key"));
}

export async function saveRevocation(client: Queryable, keyId: string): Promise<ApiKey> {
  const { rows } = await client.query<ApiKeyRow>(
    `update api_keys set revoked_at = coalesce(revoked_at, bursar_now()) where id = $1 returning ${COLUMNS}`,
    [keyId],
  );
  return keyFromRow(present(rows[0], "the revoked key"));
}

/** Rows are locked in order of id, so that two nodes flushing at once cannot deadlock. */
export async function saveLastUsed(
  pool: pg.Pool,
  uses: readonly { keyId: string; ageMs: number }[],
): Promise<void> {
  await pool.query(
    `with locked as (select id from api_keys where id = any($1::uuid[]) order by id for no key update)
     update api_keys k set last_used_at = greatest(k.last_used_at, u.used_at)
     from locked, (
       select id, bursar_now() - age_ms * interval '1 millisecond' as used_at
       from unnest($1::uuid[], $2::float8[]) as t (id, age_ms)
     ) u
     where k.id = locked.id and u.id = locked.id`,
    [uses.map((use) => use.keyId), uses.map((use) => use.ageMs)],
  );
}
