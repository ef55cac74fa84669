import { z } from "zod";
import { REQUEST_STATUSES, type RequestRecord } from "../usage/index.ts";
import type { Act } from "./operation.ts";

export const REQUEST_ROW = z
  .object({
    requestId: z.string(),
    createdAt: z.string(),
    endpoint: z.string(),
    model: z.string(),
    status: z.enum(REQUEST_STATUSES),
    keyName: z.string().nullable().describe("always null for members, who may not see keys"),
    memberName: z.string().nullable(),
    credits: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    tokensSaved: z.int(),
    latencyMs: z.int().nullable(),
    errorCode: z.string().nullable(),
    reason: z.string().nullable().describe("why it failed or was cut"),
  })
  .meta({ id: "RequestRow" });

export function requestRowOf({ standing }: Act, row: RequestRecord): z.input<typeof REQUEST_ROW> {
  return {
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
    endpoint: row.endpoint,
    model: row.model,
    status: row.status,
    keyName: standing === "member" ? null : row.keyName,
    memberName: row.memberName,
    credits: row.credits,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    tokensSaved: row.tokensSaved,
    latencyMs: row.latencyMs,
    errorCode: row.errorCode,
    reason: row.reason,
  };
}
