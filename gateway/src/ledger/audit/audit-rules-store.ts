import type { Database } from "../../db/index.ts";
import { canonicalJson, sha256Hex } from "../../kit/index.ts";
import type { AuditFault } from "./audit-fault.ts";

/** Length of the ids that the catalog gives to price rules. */
const ID_LENGTH = 16;

/**
 * Finds price rules that no longer match the hash they are named by. Receipts show these rules even after the catalog
 * has changed.
 */
export async function loadRuleFaults(db: Database): Promise<AuditFault[]> {
  const { rows } = await db.pool.query<{ id: string; rule: unknown }>(
    "select id, rule from price_rules order by id",
  );
  return rows
    .filter(({ id, rule }) => sha256Hex(canonicalJson(rule)).slice(0, ID_LENGTH) !== id)
    .map(({ id }) => ({
      orgId: null,
      table: "price_rules",
      row: id,
      what: "the rule does not match its hash",
    }));
}
