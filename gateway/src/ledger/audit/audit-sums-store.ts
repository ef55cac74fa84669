import type { Database } from "../../db/index.ts";

/** The figures of a day's sums, in the order in which they are compared. */
export const SUMMED = [
  "requests",
  "failed_requests",
  "credits_charged",
  "written_off_credits",
  "input_tokens",
  "output_tokens",
  "tokens_saved",
  "cache_read_tokens",
  "cache_written_tokens",
  "cache_saved",
] as const;

/** Key: the day. Value: one sum for each figure of `SUMMED`. */
export type DaySums = Map<string, bigint[]>;

/**
 * Each day, rollups have a row per key, member, model and endpoint. Each combination gets a weight from its hash, so
 * that a single weighted sum per day almost certainly reveals an amount moved between two combinations.
 */
const WEIGHT = `((uuid_hash_extended(key_id, 1) # coalesce(uuid_hash_extended(member_id, 2), 0)
  # hashtextextended(model, 3) # hashtextextended(endpoint, 4)) & 1048575) + 1`;

/** Calls of older versions have the tokens in their rows, but not in the sums. */
const ofCaches = (figure: string) =>
  `coalesce(case when measured ? 'cache_saved' then (measured->'${figure}')::bigint end, 0)`;

/**
 * Larger than any usual request. Up to this amount the product fits a bigint, which is fast; the rest is multiplied as
 * numeric. Only what caches saved may be negative.
 */
const MOST = 2 ** 42;
const OF_REQUEST: Readonly<Record<(typeof SUMMED)[number], string>> = {
  requests: "1",
  failed_requests: "(status = 'failed')::integer",
  credits_charged: "charged_subscription + charged_anytime",
  written_off_credits: "written_off_credits",
  input_tokens: "input_tokens",
  output_tokens: "output_tokens",
  tokens_saved: "tokens_saved",
  cache_read_tokens: ofCaches("cached_input_tokens"),
  cache_written_tokens: ofCaches("cache_write_tokens"),
  cache_saved: ofCaches("cache_saved"),
};

const SUM_OF_EACH = SUMMED.map((name) => {
  const value = OF_REQUEST[name];
  const usual = `greatest(-${MOST}, least(${MOST}, ${value}))`;
  const rest = `sum(weight::numeric * (${value} - ${usual})) filter (where ${value} <> ${usual})`;
  return `(sum(weight * ${usual}) + coalesce(${rest}, 0))::text`;
});

/** Sums the request rows of the CTE `chunk` by organization and day. */
export const SUMS_OF_CHUNK = `
  select org_id, json_object_agg(day, sums) as sums from (
    select org_id, day, json_build_array(${SUM_OF_EACH.join(", ")}) as sums
    -- Offset: the weight is made once for each row, not for each of its sums.
    from (select *, (settled_at at time zone 'UTC')::date as day, ${WEIGHT} as weight from chunk offset 0) r
    group by 1, 2) d
  group by org_id`;

const SUMS_OF_ROLLUPS = `
  select org_id, json_object_agg(day, sums) as sums from (
    select org_id, day, json_build_array(${SUMMED.map((name) => `sum(weight * ${name})::text`).join(", ")}) as sums
    from (select *, (${WEIGHT})::numeric as weight from rollups where org_id = any($1::uuid[]) offset 0) r
    group by 1, 2) d
  group by org_id`;

/** The sums that usage reports for these organizations. */
export async function loadRollupSums(
  db: Database,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, DaySums>> {
  const { rows } = await db.pool.query<{ org_id: string; sums: SumsRow }>({
    name: "audit_rollups",
    text: SUMS_OF_ROLLUPS,
    values: [orgIds],
  });
  return new Map(
    rows.map(({ org_id, sums }) => {
      const days: DaySums = new Map();
      addSums(days, sums);
      return [org_id, days];
    }),
  );
}

export type SumsRow = Readonly<Record<string, readonly string[]>>;

export function addSums(days: DaySums, more: SumsRow): void {
  for (const [day, sums] of Object.entries(more)) {
    const known = days.get(day);
    days.set(
      day,
      sums.map((sum, at) => BigInt(sum) + (known?.[at] ?? 0n)),
    );
  }
}
