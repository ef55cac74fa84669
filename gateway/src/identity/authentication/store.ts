import type pg from "pg";
import { present } from "../../kit/index.ts";
import { type OrganizationRow, organizationFromRow } from "../organizations/store.ts";
import type { KeyLimits, Principal } from "../principal.ts";
import { isScope } from "../scopes.ts";
import type { SeenVersion } from "./freshness.ts";

/** The driver supports `query_timeout` per query, but its types have it per connection only. */
type TimedQuery = pg.QueryConfig & { query_timeout: number };

/** A lookup precedes every uncached call: better an early 503 than a client that hangs. */
const LOOKUP_TIMEOUT_MS = 5_000;

export async function listenForChanges(
  client: pg.Client,
  options: { hear(message: string): void; timeoutMs: number },
): Promise<void> {
  client.on("notification", (message) => {
    if (message.channel === "bursar_identity") options.hear(message.payload ?? "");
  });
  const listen: TimedQuery = { text: "listen bursar_identity", query_timeout: options.timeoutMs };
  await client.query(listen);
}

export async function loadVersion(client: pg.Client, timeoutMs: number): Promise<SeenVersion> {
  const query: TimedQuery = {
    name: "identity_version",
    text: `select version::float8 as version, extract(epoch from bursar_now())::float8 * 1000 as "databaseNowMs"
      from identity_version`,
    query_timeout: timeoutMs,
  };
  const { rows } = await client.query<SeenVersion>(query);
  return present(rows[0], "the identity version");
}

/** The key that a secret's hash belongs to, with the version of the snapshot it was read in. */
type LoadedKey = { readonly version: number } & (
  | { readonly outcome: "unknown" }
  | { readonly outcome: "dead"; readonly fault: "revoked" | "expired" }
  | { readonly outcome: "ok"; readonly principal: Principal; readonly expiresAtMs: number }
);

type KeyRow = OrganizationRow & {
  readonly version: number;
  readonly keyId: string | null;
  readonly scopes: readonly string[];
  readonly limits: KeyLimits;
  readonly expiresAtMs: number | null;
  readonly fault: "revoked" | "expired" | null;
};

// Always one row: unknown, revoked and expired keys cause exactly the same query.
const LOAD_KEY = `
  select v.version::float8 as version, p.*
  from identity_version v
  left join lateral (
    select k.id as "keyId", k.scopes,
      json_build_object('requestsPerMinute', k.requests_per_minute, 'inFlight', k.in_flight) as limits,
      extract(epoch from least(k.expires_at, s.expires_at))::float8 * 1000 as "expiresAtMs",
      case when k.revoked_at is not null then 'revoked'
        when least(k.expires_at, s.expires_at) <= bursar_now() then 'expired' end as fault,
      o.id, o.name, o.slug, o.plan, o.active, o.efficiency, o."disabledModels", o."createdAt"
    from (
      select id as key_id, null::timestamptz as expires_at from api_keys where secret_hash = $1
      union all
      select key_id, expires_at from api_key_retired_secrets where secret_hash = $1
    ) s
    join api_keys k on k.id = s.key_id
    join organization o on o.id = k.org_id
    limit 1
  ) p on true`;

export async function loadKeyByHash(pool: pg.Pool, secretHash: Buffer): Promise<LoadedKey> {
  const query: TimedQuery = {
    name: "identity_key_by_hash",
    text: LOAD_KEY,
    values: [secretHash],
    query_timeout: LOOKUP_TIMEOUT_MS,
  };
  const { rows } = await pool.query<KeyRow>(query);
  const row = present(rows[0], "the identity version");
  const { version, keyId, scopes, limits, expiresAtMs, fault, ...organization } = row;
  if (keyId === null) return { version, outcome: "unknown" };
  if (fault !== null) return { version, outcome: "dead", fault };
  const principal: Principal = {
    organization: organizationFromRow(organization),
    keyId,
    scopes: new Set(scopes.filter(isScope)),
    limits,
  };
  return { version, outcome: "ok", principal, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY };
}

export async function loadMembership(
  pool: pg.Pool,
  membership: { organizationId: string; userId: string },
): Promise<{ version: number; isMember: boolean }> {
  const query: TimedQuery = {
    name: "identity_membership",
    text: `select version::float8 as version, exists (
        select from member where "organizationId" = $1 and "userId" = $2) as "isMember"
      from identity_version`,
    values: [membership.organizationId, membership.userId],
    query_timeout: LOOKUP_TIMEOUT_MS,
  };
  const { rows } = await pool.query<{ version: number; isMember: boolean }>(query);
  return present(rows[0], "the identity version");
}
