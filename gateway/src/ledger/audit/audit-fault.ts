/** A discrepancy, and where it was found. */
export type AuditFault = {
  /** Null for data that all organizations share. */
  readonly orgId: string | null;
  readonly table:
    | "audit"
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
  /** Identifies the row: an entry's number, a request's id or a day. */
  readonly row: string;
  readonly what: string;
};

/** `seq` is the text that the database returns: a forged number may exceed the safe integers. */
export type EntryFault = { readonly seq: string; readonly what: string };

export function faultOfEntry(orgId: string, { seq, what }: EntryFault): AuditFault {
  return { orgId, table: "entries", row: `seq ${seq}`, what };
}

/** A discrepancy of one organization. */
export type OwnFault = AuditFault & { readonly orgId: string };

/** Most faults reported per organization; one is enough to distrust it. */
export const MAX_FAULTS = 50;
