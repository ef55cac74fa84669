import type { Database } from "../db/index.ts";

/** How much providers add to a prompt depends on what is in it. */
export type PromptKind = "plain" | "schema" | "tools";

/** Reported prompt tokens compared with our own counts, for one model and kind of prompt. */
export type TokenSums = {
  readonly model: string;
  readonly kind: PromptKind;
  /** Long prompts: tokens by our count, and as reported. */
  readonly estimated: number;
  readonly reported: number;
  /** Short prompts: number of calls, and tokens reported beyond our count. */
  readonly calls: number;
  readonly beyond: number;
};

export type OwnTokenSums = TokenSums & { readonly orgId: string };

export type TokenSumStore = {
  /** Adds what this node has seen, which may be nothing; returns the sums of all nodes. One statement. */
  add(seen: readonly TokenSums[]): Promise<readonly TokenSums[]>;
  /**
   * The same by organization. Returns a bounded list of the sums that nodes have changed lately or `ever`, oldest
   * first.
   */
  addOwn(seen: readonly OwnTokenSums[], from: "lately" | "ever"): Promise<readonly OwnTokenSums[]>;
};

export function createTokenSumStore(db: Database): TokenSumStore {
  return {
    add: (seen) => saveTokenSums(db, seen),
    addOwn: (seen, from) => saveOwnTokenSums(db, seen, from === "ever"),
  };
}

async function saveTokenSums(db: Database, seen: readonly TokenSums[]): Promise<readonly TokenSums[]> {
  const result = await db.pool.query<TokenSums>({
    name: "token_corrections_add",
    text: `select model, kind, estimated, reported, calls, beyond
      from token_corrections_add($1::text[], $2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])`,
    values: columnsOf(seen),
  });
  return result.rows;
}

async function saveOwnTokenSums(
  db: Database,
  seen: readonly OwnTokenSums[],
  isEver: boolean,
): Promise<readonly OwnTokenSums[]> {
  const result = await db.pool.query<OwnTokenSums>({
    name: "own_token_corrections_add",
    text: `select org_id as "orgId", model, kind, estimated, reported, calls, beyond
      from own_token_corrections_add(
        $1::uuid[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[], $7::float8[], $8)`,
    values: [seen.map(({ orgId }) => orgId), ...columnsOf(seen), isEver],
  });
  return result.rows;
}

function columnsOf(seen: readonly TokenSums[]): (string[] | number[])[] {
  return [
    seen.map(({ model }) => model),
    seen.map(({ kind }) => kind),
    seen.map(({ estimated }) => estimated),
    seen.map(({ reported }) => reported),
    seen.map(({ calls }) => calls),
    seen.map(({ beyond }) => beyond),
  ];
}
