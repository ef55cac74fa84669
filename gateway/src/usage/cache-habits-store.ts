import { type Database, plainColumn, quotedColumn } from "../db/index.ts";

/**
 * How often a mark for a provider's cache would have been read, for one organization, model and shape of prompt: a
 * digest, which is empty for all shapes together when they were new.
 */
export type CacheHabit = {
  readonly orgId: string;
  readonly model: string;
  readonly shape: string;
  /** Calls soon after another one of this shape. */
  readonly again: number;
  /** Calls that began a conversation, and those of them that were soon gone on with. */
  readonly firsts: number;
  readonly firstsRead: number;
  /** The same of calls that went on with a conversation. */
  readonly laters: number;
  readonly latersRead: number;
};

export type CacheHabitStore = {
  /**
   * Adds what this node has seen, which may be nothing. Returns a bounded list of the sums that nodes have changed
   * lately or within the last day (`ever`), oldest first. One statement.
   */
  add(seen: readonly CacheHabit[], from: "lately" | "ever"): Promise<readonly CacheHabit[]>;
};

export function createCacheHabitStore(db: Database): CacheHabitStore {
  return {
    async add(seen, from) {
      const result = await db.pool.query<CacheHabit>({
        name: "cache_habits_add",
        text: `select org_id as "orgId", model, shape, again, firsts, firsts_read as "firstsRead", laters,
            laters_read as "latersRead"
          from cache_habits_add($1::uuid[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[],
            $7::float8[], $8::float8[], $9)`,
        values: [
          plainColumn(seen, "orgId"),
          quotedColumn(seen, "model"),
          quotedColumn(seen, "shape"),
          plainColumn(seen, "again"),
          plainColumn(seen, "firsts"),
          plainColumn(seen, "firstsRead"),
          plainColumn(seen, "laters"),
          plainColumn(seen, "latersRead"),
          from === "ever",
        ],
      });
      return result.rows;
    },
  };
}
