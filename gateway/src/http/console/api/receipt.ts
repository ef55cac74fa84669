import { z } from "zod";
import { creditsSavedBy, measuredWords, priceWords } from "../../../catalog/index.ts";
import type { ConsoleParts } from "../parts.ts";
import { maySee } from "../viewer.ts";
import { assetRowsOf } from "./asset-row.ts";
import type { Query } from "./operation.ts";
import { noSuch } from "./problem.ts";
import { requestRowOf } from "./usage-view.ts";

/** Everything about one call. To a member, someone else's call answers as if it did not exist. */
export function receiptQuery(parts: ConsoleParts): Query<"receipt"> {
  const { usage, library } = parts;
  return {
    who: "member",
    input: z.strictObject({ requestId: z.string() }),
    async run({ viewer }, { requestId }) {
      const isId = z.guid().safeParse(requestId).success;
      const receipt = isId ? await usage.receipt(viewer.organization.id, requestId) : null;
      if (!receipt || !maySee(viewer, receipt.memberId)) throw noSuch("request");
      const made = await library.ofRequest(viewer.organization.id, requestId);
      return {
        ...requestRowOf(viewer, receipt),
        settledAt: receipt.settledAt?.toISOString() ?? null,
        held: receipt.held,
        chargedSubscription: receipt.chargedSubscription,
        chargedAnytime: receipt.chargedAnytime,
        writtenOff: receipt.writtenOff,
        leftAfter: receipt.leftAfter,
        creditsSaved: creditsSavedBy(receipt.priceRule, receipt.tokensSaved),
        price: priceWords(receipt.priceRule),
        measured: measuredWords(receipt.measured),
        target: receipt.target,
        isGivenUp: receipt.isGivenUp,
        assets: await assetRowsOf(parts, viewer, made),
      };
    },
  };
}
