import { z } from "zod";
import type { LedgerRow } from "../contract.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Query } from "./operation.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const CURSOR = /^[1-9]\d{0,14}$/;

/** A cursor is the number of an entry: within one organization it reveals nothing, and it cannot reach another one. */
export function ledgerQuery({ payments }: ConsoleParts): Query<"ledger"> {
  return {
    who: "admin",
    input: z.strictObject({
      cursor: z.string().regex(CURSOR, "This page link is no longer valid. Reload the list.").optional(),
      limit: z.int().min(1).max(MAX_LIMIT).optional(),
      pool: z.enum(["subscription", "anytime"]).optional(),
      type: z.enum(["grant", "charge", "expire", "adjust"]).optional(),
    }),
    async run({ viewer }, { cursor, limit, pool, type }) {
      const page = await payments.statement({
        orgId: viewer.organization.id,
        beforeSeq: cursor === undefined ? null : Number(cursor),
        limit: limit ?? DEFAULT_LIMIT,
        pool: pool ?? null,
        type: type ?? null,
      });
      return {
        rows: page.entries.map(
          ({ seq, createdAt, ...entry }): LedgerRow => ({
            id: String(seq),
            createdAt: createdAt.toISOString(),
            ...entry,
          }),
        ),
        nextCursor: page.nextBeforeSeq === null ? null : String(page.nextBeforeSeq),
      };
    },
  };
}
