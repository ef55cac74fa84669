/** What does not fit, and where. */
export type AuditFault = {
  readonly orgId: string;
  readonly table: "entries" | "accounts" | "holds" | "rollups" | "requests" | "grants" | "assets";
  /** Which row: an entry's number, a request's id, a day. */
  readonly row: string;
  readonly what: string;
};

/** Reported per organization at most; one is enough to distrust it. */
export const MAX_FAULTS = 50;
