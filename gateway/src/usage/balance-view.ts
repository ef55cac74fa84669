/** One ledger entry. `balance_after` is the balance of that pool, including credits held by running calls. */
export type LedgerEntryView = {
  readonly id: string;
  readonly created_at: string;
  readonly type: "grant" | "charge" | "expire" | "adjust";
  readonly pool: "subscription" | "anytime";
  readonly amount: number;
  readonly balance_after: number;
  readonly request_id: string | null;
  readonly description: string;
};

/** What can be spent now. Held credits are listed separately and not included in the other figures. */
export type BalanceView = {
  readonly org_id: string;
  readonly plan: string;
  readonly balance: {
    readonly subscription_credits: number;
    readonly anytime_credits: number;
    readonly total_credits: number;
    readonly held_credits: number;
    /** Null if no period is open. */
    readonly subscription_credits_expire_at: string | null;
  };
  readonly recent_ledger: readonly LedgerEntryView[];
};
