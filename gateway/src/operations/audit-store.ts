import type { Database } from "../db/index.ts";

/** The operator's chain. */
export const OPERATORS_CHAIN = "00000000-0000-0000-0000-000000000000";

/**
 * Everything that may stand in `before` and `after`. Never a key, a secret, a header, or a URL beyond its host: names
 * that could hold one are not in the list.
 */
const AUDITED = [
  "active",
  "addedAt",
  "amount",
  "efficiency",
  "email",
  "events",
  "expiresAt",
  "grace",
  "host",
  "inFlight",
  "isOn",
  "item",
  "name",
  "paused",
  "plan",
  "pool",
  "reason",
  "reference",
  "requestsPerMinute",
  "role",
  "scopes",
  "slug",
  "type",
  "types",
] as const;
export type AuditedFields = {
  readonly [Field in (typeof AUDITED)[number]]?:
    | string
    | number
    | boolean
    | null
    | readonly (string | number)[];
};

type AuditedAct = {
  readonly chains: readonly string[];
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string };
  readonly face: string;
  readonly operation: string;
  readonly object: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly before: AuditedFields | null;
  readonly after: AuditedFields | null;
};

/** A database, or a connection inside a transaction. */
type Audited = { readonly pool: { query(text: string, values: unknown[]): Promise<unknown> } };

/** Throws for a field that is not in the list, however the compiler was talked into it. */
export async function saveAct(db: Audited, act: AuditedAct): Promise<void> {
  for (const field of Object.keys({ ...act.before, ...act.after })) {
    if (!AUDITED.some((known) => known === field)) throw new Error(`${field} may not stand in the audit log`);
  }
  const { actor, object } = act;
  await db.pool.query("select audit_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", [
    act.chains,
    actor.kind,
    actor.id,
    actor.name,
    act.face,
    act.operation,
    object.kind,
    object.id,
    object.name,
    act.before,
    act.after,
  ]);
}

/** What triggers would write about sessions and passwords in this transaction, its own act says. */
export async function saveTriggersSilent(db: Pick<Database, "pool">): Promise<void> {
  await db.pool.query("select set_config('bursar.audited', 'on', true)");
}

export type AuditFilter = {
  readonly operation?: string | undefined;
  readonly actorId?: string | undefined;
  readonly objectId?: string | undefined;
  readonly face?: string | undefined;
};

export type AuditRow = {
  readonly seq: number;
  readonly at: Date;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly face: string;
  readonly operation: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly objectName: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly hash: Buffer;
};

/** Rows that one page looks at, at most: with a filter that few rows meet it comes short, with a cursor that goes on. */
const MOST_LOOKED_AT = 20_000;

/** Newest first. `nextBefore` is null on the last page. */
export async function loadActs(
  db: Pick<Database, "pool">,
  asked: AuditFilter & { readonly chain: string; readonly before: number | null; readonly limit: number },
): Promise<{ readonly rows: readonly AuditRow[]; readonly nextBefore: number | null }> {
  const { rows: heads } = await db.pool.query<{ seq: number }>(
    "select seq::float8 as seq from audit_heads where chain = $1",
    [asked.chain],
  );
  const before = asked.before ?? (heads[0]?.seq ?? 0) + 1;
  const floor = Math.max(1, before - MOST_LOOKED_AT);
  const { rows } = await db.pool.query<AuditRow>(
    `select seq::float8 as seq, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", face,
       operation, object_kind as "objectKind", object_id as "objectId", object_name as "objectName", before, after, hash
     from audit where chain = $1 and seq < $2 and seq >= $3
       and ($4::text is null or operation = $4) and ($5::text is null or actor_id = $5)
       and ($6::text is null or object_id = $6) and ($7::text is null or face = $7)
     order by seq desc limit $8`,
    [
      asked.chain,
      before,
      floor,
      asked.operation ?? null,
      asked.actorId ?? null,
      asked.objectId ?? null,
      asked.face ?? null,
      asked.limit,
    ],
  );
  const end = rows.length === asked.limit ? (rows.at(-1)?.seq ?? floor) : floor;
  return { rows, nextBefore: end > 1 ? end : null };
}
