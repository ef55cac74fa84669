import type { Credits, ErrorCode } from "../kit/index.ts";

/** Who and what a paid call was: the words its request row, rollup and entries carry. */
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
  readonly priceRuleId: string | null;
  /**
   * What the price rule was applied to beside the tokens, as JSON that its maker understands: kept for the receipt. Null
   * where there is nothing to say, and for a release.
   */
  readonly measured: string | null;
  readonly target: string | null;
  /** Kept for an idempotent repeat; null where there is none, or it is too large. */
  readonly reply: string | null;
  /** What was made, to be published in the same transaction; its bytes are durable already. */
  readonly assets?: readonly MadeAsset[];
};

/** A draft of the library, in the words of its row. */
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
   * settled: charged now. repeat: this settlement had been committed before. late: the sweeper had ended
   * the hold, nothing was charged. orphan: neither hold nor record was left. absent: likewise, and nothing to pay.
   */
  readonly outcome: "settled" | "repeat" | "late" | "orphan" | "absent";
  readonly chargedSubscription: Credits;
  readonly chargedAnytime: Credits;
  readonly writtenOff: Credits;
  readonly subscriptionAfter: Credits;
  readonly anytimeAfter: Credits;
};
