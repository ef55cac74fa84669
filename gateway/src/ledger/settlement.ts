import type { Credits, ErrorCode, FailureReason } from "../kit/index.ts";

/** Identifies a paid call; its request row, rollup and entries carry these fields. */
export type CallIdentity = {
  readonly orgId: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly memberUserId: string | null;
  readonly endpoint: string;
  readonly model: string;
};

/** How a call ended. A release is a settlement that costs 0. */
export type Settlement = CallIdentity & {
  readonly cost: Credits;
  readonly status: "succeeded" | "failed" | "cancelled";
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly latencyMs: number | null;
  readonly errorCode: ErrorCode | null;
  /** Null if it ended as it should, or nothing is known. */
  readonly reason: FailureReason | null;
  readonly priceRuleId: string | null;
  /**
   * What the price rule was applied to besides the tokens, as JSON in the catalog's form; stored for the receipt. No
   * charge depends on it, but the audit compares its parts with the tokens. Null if there is nothing to add, and for a
   * release.
   */
  readonly measured: string | null;
  readonly target: string | null;
  /** Stored for an idempotent repeat; null if there is none or it is too large. */
  readonly reply: string | null;
  /** Assets to publish in the same transaction. Their bytes are already durable. */
  readonly assets?: readonly MadeAsset[];
};

/** An asset of the library before its row exists. */
export type MadeAsset = {
  readonly id: string;
  readonly type: "image" | "video" | "audio";
  readonly objectKey: string;
  readonly urlToken: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly prompt: string | null;
};

export type Settled = {
  /**
   * settled: charged now. repeat: this settlement was committed before. late: the sweeper had already ended the hold,
   * and nothing was charged. orphan: neither a hold nor a record was found; charged from what was available. absent:
   * the same with a cost of 0, so nothing was written.
   */
  readonly outcome: "settled" | "repeat" | "late" | "orphan" | "absent";
  readonly chargedSubscription: Credits;
  readonly chargedAnytime: Credits;
  readonly writtenOff: Credits;
  readonly subscriptionAfter: Credits;
  readonly anytimeAfter: Credits;
};
