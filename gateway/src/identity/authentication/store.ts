import type pg from "pg";
import { present } from "../../kit/index.ts";
import { type OrganizationRow, organizationFromRow } from "../organizations/store.ts";
import type { Principal } from "../principal.ts";
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
    text: `select version, extract(epoch from bursar_now())::float8 * 1000 as now_ms from identity_version`,
    query_timeout: timeoutMs,
  };
  const { rows } = await client.query<{ version: string; now_ms: number }>(query);
  const row = present(rows[0], "the identity version");
  return { version: Number(row.version), databaseNowMs: row.now_ms };
}

/** The key that a secret's hash belongs to, with the version of the snapshot it was read in. */
type LoadedKey = { readonly version: number } & (
  | { readonly outcome: "unknown" }
  | { readonly outcome: "dead"; readonly fault: "revoked" | "expired" }
  | { readonly outcome: "ok"; readonly principal: Principal; readonly expiresAtMs: number }
);

type KeyRow = { version: string; key_id: string | null } & LiveKeyRow & OrganizationRow;
type LiveKeyRow = {
  scopes: string[];
  requests_per_minute: number | null;
  in_flight: number | null;
  expires_at_ms: number | null;
  fault: "revoked" | "expired" | null;
};

// Always one row: unknown, revoked and expired keys cause exactly the same query.
const LOAD_KEY = `
  select v.version, p.*
  from identity_version v
  left join lateral (
    select k.id as key_id, k.scopes, k.requests_per_minute, k.in_flight,
      extract(epoch from least(k.expires_at, s.expires_at))::float8 * 1000 as expires_at_ms,
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
  const version = Number(row.version);
  if (row.key_id === null) return { version, outcome: "unknown" };
  if (row.fault !== null) return { version, outcome: "dead", fault: row.fault };
  const principal: Principal = {
    organization: organizationFromRow(row),
    keyId: row.key_id,
    scopes: new Set(row.scopes.filter(isScope)),
    limits: { requestsPerMinute: row.requests_per_minute, inFlight: row.in_flight },
  };
  return { version, outcome: "ok", principal, expiresAtMs: row.expires_at_ms ?? Number.POSITIVE_INFINITY };
}

export async function loadMembership(
  pool: pg.Pool,
  membership: { organizationId: string; userId: string },
): Promise<{ version: number; isMember: boolean }> {
  const query: TimedQuery = {
    name: "identity_membership",
    text: `select version, exists (
        select from member where "organizationId" = $1 and "userId" = $2) as is_member
      from identity_version`,
    values: [membership.organizationId, membership.userId],
    query_timeout: LOOKUP_TIMEOUT_MS,
  };
  const { rows } = await pool.query<{ version: string; is_member: boolean }>(query);
  const row = present(rows[0], "the identity version");
  return { version: Number(row.version), isMember: row.is_member };
}
