/** What does not fit, and where. */
export type AuditFault = {
  /** Null for what belongs to all of them. */
  readonly orgId: string | null;
  readonly table:
    | "entries"
    | "accounts"
    | "holds"
    | "rollups"
    | "requests"
    | "grants"
    | "corrections"
    | "assets"
    | "payments"
    | "key_windows"
    | "price_rules";
  /** Which row: an entry's number, a request's id, a day. */
  readonly row: string;
  readonly what: string;
};

/** Reported per organization at most; one is enough to distrust it. */
export const MAX_FAULTS = 50;
