import { type Database, plainColumn, quotedColumn } from "../db/index.ts";

/** How much providers add to a prompt depends on what is in it. */
export type PromptKind = "plain" | "schema" | "tools";

/** Reported prompt tokens compared with our own counts, for one organization, model and kind of prompt. */
export type TokenSums = {
  readonly orgId: string;
  readonly model: string;
  readonly kind: PromptKind;
  /** Long prompts: tokens by our count, and as reported. */
  readonly estimated: number;
  readonly reported: number;
  /** Short prompts: number of calls, and tokens reported beyond our count. */
  readonly calls: number;
  readonly beyond: number;
};

export type TokenSumStore = {
  /**
   * Adds what this node has seen, which may be nothing. Returns a bounded list of the sums that nodes have changed
   * lately or `ever`, oldest first. One statement.
   */
  add(seen: readonly TokenSums[], from: "lately" | "ever"): Promise<readonly TokenSums[]>;
};

export function createTokenSumStore(db: Database): TokenSumStore {
  return {
    async add(seen, from) {
      const result = await db.pool.query<TokenSums>({
        name: "own_token_corrections_add",
        text: `select org_id as "orgId", model, kind, estimated, reported, calls, beyond
          from own_token_corrections_add(
            $1::uuid[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8)`,
        values: [
          plainColumn(seen, "orgId"),
          quotedColumn(seen, "model"),
          plainColumn(seen, "kind"),
          plainColumn(seen, "estimated"),
          plainColumn(seen, "reported"),
          plainColumn(seen, "calls"),
          plainColumn(seen, "beyond"),
          from === "ever",
        ],
      });
      return result.rows;
    },
  };
}
