import type { Database } from "../db/index.ts";
import { assert } from "../kit/index.ts";
import { SETTLE_MEDIA_LANE } from "./lanes.ts";
import { SETTLED, settledFromAnswer } from "./settled-row.ts";
import type { MadeAsset, Settled, Settlement } from "./settlement.ts";
import { settlementValues } from "./settlement-values.ts";

/**
 * `measured` ($17) and `reason` ($18) come last in the function's signature, because older versions of the gateway call
 * it without them.
 */
const SETTLE_MEDIA = `select ${SETTLED}
  from ledger_settle_media(expecting($21, $1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $19, $20, $17, $18)`;

/**
 * Charges for the assets and publishes them in one transaction, without a batch: media calls are rare compared with
 * text, and a batch of settlements must not fail because one of them has an asset that is missing.
 */
export async function settleMedia(
  db: Database,
  settlement: Settlement,
  assets: readonly MadeAsset[],
): Promise<Settled> {
  const rows = await db
    .lane(SETTLE_MEDIA_LANE)
    .query<{ answer: string }>(SETTLE_MEDIA, [
      "call",
      ...settlementValues(settlement),
      settlement.reply,
      JSON.stringify(assets),
      db.time.text(),
    ]);
  const [row] = rows;
  assert(row !== undefined, "every settlement is answered");
  return settledFromAnswer(row);
}
