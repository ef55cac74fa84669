/** One call: as it ended, or as it runs. */
export type RequestRecord = {
  readonly requestId: string;
  readonly createdAt: Date;
  readonly endpoint: string;
  readonly model: string;
  readonly status: RequestStatus;
  readonly keyId: string;
  /** Null for a key that nobody knows any more. */
  readonly keyName: string | null;
  readonly memberId: string | null;
  readonly memberName: string | null;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly latencyMs: number | null;
  readonly errorCode: string | null;
  /** What its price was applied to beside its tokens, as it was settled with; null where nothing was kept. */
  readonly measured: unknown;
};

/** `processing` only for jobs: calls are listed when they have ended. */
export const REQUEST_STATUSES = ["succeeded", "failed", "cancelled", "processing"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Everything that is known of one call. */
export type RequestReceipt = RequestRecord & {
  /** Null while it runs. */
  readonly settledAt: Date | null;
  readonly held: number;
  readonly chargedSubscription: number;
  readonly chargedAnytime: number;
  readonly writtenOff: number;
  /** What could be spent right after it; null while it runs. */
  readonly leftAfter: number | null;
  /** The rule that it was charged by, as it stood then. */
  readonly priceRule: unknown;
  readonly target: string | null;
  /** Its process died, or the database was away for too long: the hold was given back instead. */
  readonly isGivenUp: boolean;
};
