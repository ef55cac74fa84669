import { type Database, numberFields } from "../db/index.ts";
import { SETTLE_LANE } from "./lanes.ts";
import { settledFrom } from "./settled-row.ts";
import type { Settled, Settlement } from "./settlement.ts";
import { settlementValues } from "./settlement-values.ts";

const SETTLE_ONE =
  "select ledger_settle_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) as answer";

/** Charges a call in the usual case. Null if the case is unusual; nothing was written then. */
export async function settleOne(db: Database, settlement: Settlement): Promise<Settled | null> {
  const rows = await db.lane(SETTLE_LANE).query<{ answer: string }>(SETTLE_ONE, settlementValues(settlement));
  const amounts = numberFields(rows[0]?.answer ?? "");
  return amounts[0] === "" ? null : settledFrom("settled", amounts);
}
