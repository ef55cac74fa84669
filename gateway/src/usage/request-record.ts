/** One call, ended or still running. */
export type RequestRecord = {
  readonly requestId: string;
  readonly createdAt: Date;
  readonly endpoint: string;
  readonly model: string;
  readonly status: RequestStatus;
  readonly keyId: string;
  /** Null if the key no longer exists. */
  readonly keyName: string | null;
  readonly memberId: string | null;
  readonly memberName: string | null;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly latencyMs: number | null;
  readonly errorCode: string | null;
  /** Why it failed or was cut; null if it ended as it should, and for calls from before reasons were recorded. */
  readonly reason: string | null;
  /** What the price was applied to besides the tokens, as stored at settlement; null if nothing was stored. */
  readonly measured: unknown;
};

/** `processing` applies to jobs only: other calls are listed once they have ended. */
export const REQUEST_STATUSES = ["succeeded", "failed", "cancelled", "processing"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Everything that is known about one call. */
export type RequestReceipt = RequestRecord & {
  /** Null while it runs. */
  readonly settledAt: Date | null;
  readonly held: number;
  readonly chargedSubscription: number;
  readonly chargedAnytime: number;
  readonly writtenOff: number;
  /** What could be spent right after it; null while it runs. */
  readonly leftAfter: number | null;
  /** The rule that it was charged by, as of that time. */
  readonly priceRule: unknown;
  readonly target: string | null;
  /** True if its process died or the database was away for too long, so that the hold was released instead. */
  readonly isGivenUp: boolean;
};
