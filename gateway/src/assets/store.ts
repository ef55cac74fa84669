import type { Database } from "../db/index.ts";
import { creditsFromSql } from "../kit/index.ts";
import type { MediaKind, MediaType } from "../media/index.ts";
import type { Asset, AssetFilter } from "./asset.ts";

type AssetRow = {
  org_id: string;
  id: string;
  created_at: Date;
  type: MediaKind;
  object_key: string;
  url_token: string;
  media_type: MediaType;
  size_bytes: string;
  sha256: Buffer;
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  model: string;
  prompt: string | null;
  request_id: string;
  key_id: string;
  member_id: string | null;
  credits_charged: string;
};

/** Where a page ends. Microseconds as text, since a `Date` has only milliseconds. */
export type PagePlace = { readonly createdUs: string; readonly id: string };

type PlacedAsset = { readonly asset: Asset; readonly place: PagePlace };

/**
 * Listed by name: the result of a prepared `select *` would change on its connection when a later version adds a
 * column.
 */
const COLUMNS = `org_id, id, created_at, type, object_key, url_token, media_type, size_bytes, sha256, width, height,
  duration_ms, model, prompt, request_id, key_id, member_id, credits_charged`;

const CREATED_US = "(extract(epoch from created_at) * 1000000)::bigint as created_us";

function assetFromRow(row: AssetRow): Asset {
  return {
    orgId: row.org_id,
    id: row.id,
    createdAt: row.created_at,
    type: row.type,
    objectKey: row.object_key,
    urlToken: row.url_token,
    mediaType: row.media_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256.toString("hex"),
    width: row.width,
    height: row.height,
    durationMs: row.duration_ms,
    model: row.model,
    prompt: row.prompt,
    requestId: row.request_id,
    keyId: row.key_id,
    memberUserId: row.member_id,
    creditsCharged: creditsFromSql(row.credits_charged),
  };
}

/** Newest first. Each filter has its own index, so a page with one filter scans no rows that it does not show. */
export async function loadAssets(
  db: Database,
  query: {
    readonly orgId: string;
    readonly limit: number;
    readonly after: PagePlace | null;
    readonly filter: AssetFilter;
  },
): Promise<readonly PlacedAsset[]> {
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
  const { rows } = await db.pool.query<AssetRow & { created_us: string }>(
    `select ${COLUMNS}, ${CREATED_US} from assets where ${conditions.join(" and ")}
      order by created_at desc, id desc limit $2`,
    values,
  );
  return rows.map((row) => ({
    asset: assetFromRow(row),
    place: { createdUs: row.created_us, id: row.id },
  }));
}

export async function loadAsset(db: Database, orgId: string, assetId: string): Promise<Asset | null> {
  const { rows } = await db.pool.query<AssetRow>({
    name: "asset",
    text: `select ${COLUMNS} from assets where org_id = $1 and id = $2`,
    values: [orgId, assetId],
  });
  return rows[0] ? assetFromRow(rows[0]) : null;
}

/** The assets of one call, in the order in which they were made. */
export async function loadAssetsOfRequest(
  db: Database,
  query: { readonly orgId: string; readonly requestId: string; readonly limit: number },
): Promise<readonly Asset[]> {
  const { rows } = await db.pool.query<AssetRow>({
    name: "assets_of_request",
    text: `select ${COLUMNS} from assets where org_id = $1 and request_id = $2 order by id limit $3`,
    values: [query.orgId, query.requestId, query.limit],
  });
  return rows.map(assetFromRow);
}

export async function loadAssetByToken(db: Database, urlToken: string): Promise<Asset | null> {
  const { rows } = await db.pool.query<AssetRow>({
    name: "asset_by_token",
    text: `select ${COLUMNS} from assets where url_token = $1`,
    values: [urlToken],
  });
  return rows[0] ? assetFromRow(rows[0]) : null;
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
