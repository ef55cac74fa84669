import type { Database } from "../db/index.ts";
import type { Asset, AssetFilter } from "./asset.ts";

/** Where a page ends. Microseconds as text, since a `Date` has only milliseconds. */
export type PagePlace = { readonly createdUs: string; readonly id: string };

/**
 * An `Asset`, column by column: the result of a prepared `select *` would change on its connection when a later version
 * adds one.
 */
const COLUMNS = `org_id as "orgId", id, created_at as "createdAt", type, object_key as "objectKey",
  url_token as "urlToken", media_type as "mediaType", size_bytes::float8 as "sizeBytes",
  encode(sha256, 'hex') as sha256, width, height, duration_ms as "durationMs", model, prompt,
  request_id as "requestId", key_id as "keyId", member_id as "memberUserId",
  credits_charged::float8 as "creditsCharged"`;

/** Newest first. Each filter has its own index, so a page with one filter scans no rows that it does not show. */
export async function loadAssets(
  db: Database,
  query: {
    readonly orgId: string;
    readonly limit: number;
    readonly after: PagePlace | null;
    readonly filter: AssetFilter;
  },
): Promise<readonly (Asset & PagePlace)[]> {
  const { after, filter } = query;
  const values: unknown[] = [query.orgId, query.limit];
  const conditions = ["org_id = $1"];
  const add = (value: unknown) => `$${values.push(value)}`;
  if (after) {
    const at = `timestamptz 'epoch' + ${add(after.createdUs)}::bigint * interval '1 microsecond'`;
    conditions.push(`(created_at, id) < (${at}, ${add(after.id)}::uuid)`);
  }
  if (filter.type !== undefined) conditions.push(`type = ${add(filter.type)}`);
  if (filter.memberUserId !== undefined) conditions.push(`member_id = ${add(filter.memberUserId)}`);
  if (filter.model !== undefined) conditions.push(`model = ${add(filter.model)}`);
  const midnight = (day: string, daysLater: number) =>
    `(${add(day)}::date + ${daysLater})::timestamp at time zone 'UTC'`;
  if (filter.from !== undefined) conditions.push(`created_at >= ${midnight(filter.from, 0)}`);
  if (filter.to !== undefined) conditions.push(`created_at < ${midnight(filter.to, 1)}`);
  const { rows } = await db.pool.query<Asset & PagePlace>(
    `select ${COLUMNS}, (extract(epoch from created_at) * 1000000)::bigint as "createdUs"
      from assets where ${conditions.join(" and ")}
      order by created_at desc, id desc limit $2`,
    values,
  );
  return rows;
}

export async function loadAsset(db: Database, orgId: string, assetId: string): Promise<Asset | null> {
  const { rows } = await db.pool.query<Asset>({
    name: "asset",
    text: `select ${COLUMNS} from assets where org_id = $1 and id = $2`,
    values: [orgId, assetId],
  });
  return rows[0] ?? null;
}

/** The assets of one call, in the order in which they were made. */
export async function loadAssetsOfRequest(
  db: Database,
  query: { readonly orgId: string; readonly requestId: string; readonly limit: number },
): Promise<readonly Asset[]> {
  const { rows } = await db.pool.query<Asset>({
    name: "assets_of_request",
    text: `select ${COLUMNS} from assets where org_id = $1 and request_id = $2 order by id limit $3`,
    values: [query.orgId, query.requestId, query.limit],
  });
  return rows;
}

export async function loadAssetByToken(db: Database, urlToken: string): Promise<Asset | null> {
  const { rows } = await db.pool.query<Asset>({
    name: "asset_by_token",
    text: `select ${COLUMNS} from assets where url_token = $1`,
    values: [urlToken],
  });
  return rows[0] ?? null;
}

/** Deletes the row and at the same time records its object as an orphan; null if there is no such row. */
export async function saveDeletion(db: Database, orgId: string, assetId: string): Promise<string | null> {
  const { rows } = await db.pool.query<{ object_key: string }>(
    `with gone as (delete from assets where org_id = $1 and id = $2 returning org_id, object_key)
      insert into stray_objects (object_key, org_id, due_at, is_sweeping)
      select object_key, org_id, bursar_now(), true from gone returning object_key`,
    [orgId, assetId],
  );
  return rows[0]?.object_key ?? null;
}
