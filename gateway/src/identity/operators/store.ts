import { present } from "../../kit/index.ts";
import type { Queryable } from "../organizations/store.ts";

export type OperatorPerson = {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly addedAt: Date;
};

const OPERATORS = `select o.user_id as "userId", u.email, u.name, o.added_at as "addedAt"
  from operators o join "user" u on u.id = o.user_id`;

/** The person with this address; undefined if there is none, or if they are no operator. */
export async function loadOperator(db: Queryable, email: string): Promise<OperatorPerson | undefined> {
  return (await db.query<OperatorPerson>(`${OPERATORS} where u.email = $1`, [email])).rows[0];
}

export async function loadIsOperator(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query("select from operators where user_id = $1", [userId])).rows.length > 0;
}

export async function loadOperators(db: Queryable, limit: number): Promise<OperatorPerson[]> {
  return (await db.query<OperatorPerson>(`${OPERATORS} order by o.added_at, o.user_id limit $1`, [limit]))
    .rows;
}

/** False if they are one already, or if nobody has that address. */
export async function insertOperator(db: Queryable, email: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into operators (user_id) select id from "user" where email = $1 on conflict do nothing`,
    [email],
  );
  return rowCount === 1;
}

export async function deleteOperator(db: Queryable, userId: string): Promise<void> {
  await db.query("delete from operators where user_id = $1", [userId]);
}

export type ManagementKey = {
  readonly id: string;
  /** Null: the operator's, for every organization. */
  readonly organizationId: string | null;
  readonly name: string;
  readonly lastFour: string;
  readonly scopes: readonly string[];
  readonly state: "active" | "expired" | "revoked";
  readonly mintedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

const KEY = `id, org_id as "organizationId", name, last_four as "lastFour", scopes, minted_by as "mintedBy",
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt",
  case when revoked_at is not null then 'revoked' when expires_at <= bursar_now() then 'expired' else 'active' end as state`;

export async function insertManagementKey(
  db: Queryable,
  key: Pick<
    ManagementKey,
    "id" | "organizationId" | "name" | "lastFour" | "scopes" | "mintedBy" | "expiresAt"
  > & {
    readonly secretHash: Buffer;
    readonly expiresInMs: number | null;
  },
): Promise<ManagementKey> {
  const { rows } = await db.query<ManagementKey>(
    `insert into management_keys (id, org_id, name, secret_hash, last_four, scopes, minted_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7,
       least(bursar_now() + $8::float8 * interval '1 millisecond', $9::timestamptz)) returning ${KEY}`,
    [
      key.id,
      key.organizationId,
      key.name,
      key.secretHash,
      key.lastFour,
      key.scopes,
      key.mintedBy,
      key.expiresInMs,
      key.expiresAt,
    ],
  );
  return present(rows[0], "the minted key");
}

/** Those of one organization, or the operator's; active ones first. */
export async function loadManagementKeys(
  db: Queryable,
  organizationId: string | null,
  limit: number,
): Promise<ManagementKey[]> {
  const { rows } = await db.query<ManagementKey>(
    `select ${KEY} from management_keys where org_id is not distinct from $1
     order by revoked_at is null desc, created_at desc, id limit $2`,
    [organizationId, limit],
  );
  return rows;
}

export async function countActiveManagementKeys(
  db: Queryable,
  organizationId: string | null,
): Promise<number> {
  const { rows } = await db.query<{ active: number }>(
    `select count(*)::int as active from management_keys where org_id is not distinct from $1
       and revoked_at is null and (expires_at is null or expires_at > bursar_now())`,
    [organizationId],
  );
  return present(rows[0], "the number of keys").active;
}

export async function loadManagementKeyByHash(
  db: Queryable,
  secretHash: Buffer,
): Promise<ManagementKey | undefined> {
  const { rows } = await db.query<ManagementKey>({
    name: "management_key_by_hash",
    text: `select ${KEY} from management_keys where secret_hash = $1`,
    values: [secretHash],
  });
  return rows[0];
}

/** Locked against being revoked until the transaction ends. Undefined if it was revoked or has expired. */
export async function lockActiveManagementKey(db: Queryable, id: string): Promise<ManagementKey | undefined> {
  const { rows } = await db.query<ManagementKey>(
    `select ${KEY} from management_keys where id = $1 for key share`,
    [id],
  );
  return rows[0]?.state === "active" ? rows[0] : undefined;
}

/** Undefined if there is no such key there. */
export async function saveManagementRevocation(
  db: Queryable,
  key: { readonly organizationId: string | null; readonly id: string },
): Promise<ManagementKey | undefined> {
  const { rows } = await db.query<ManagementKey>(
    `update management_keys set revoked_at = coalesce(revoked_at, bursar_now())
     where id = $2 and org_id is not distinct from $1 returning ${KEY}`,
    [key.organizationId, key.id],
  );
  return rows[0];
}

/** At most once a minute per key. */
export async function saveManagementUse(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update management_keys set last_used_at = bursar_now()
     where id = $1 and (last_used_at is null or last_used_at < bursar_now() - interval '1 minute')`,
    [id],
  );
}
