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

/** Its number as the database writes it: a forged one may be beyond what can be counted with. */
export type EntryFault = { readonly seq: string; readonly what: string };

export function faultOfEntry(orgId: string, { seq, what }: EntryFault): AuditFault {
  return { orgId, table: "entries", row: `seq ${seq}`, what };
}

/** What does not fit of one organization. */
export type OwnFault = AuditFault & { readonly orgId: string };

/** The same as statements answer it. */
export type OwnFaultRow = Omit<AuditFault, "orgId"> & { readonly org_id: string };

export function ownFaultFromRow({ org_id, table, row, what }: OwnFaultRow): OwnFault {
  return { orgId: org_id, table, row, what };
}

/** Reported per organization at most; one is enough to distrust it. */
export const MAX_FAULTS = 50;
