/**
 * The contract between the console's pages and the gateway: the only file that the web app imports, and only its
 * types. A query is `GET /console/api/<name>?input=<JSON>`, a command `POST /console/api/<name>` with a JSON body and
 * the session's token in `x-console-token`. A query may send the token, too: then it is answered for the organization
 * that the token names, or refused. Both return `{ ok: Output }` or `{ problem: Problem }`.
 */

export type Role = "owner" | "admin" | "member";
export type Scope = "chat" | "images" | "video" | "audio" | "usage" | "assets";
export type Pool = "subscription" | "anytime";
export type EfficiencyLevel = "off" | "safe" | "structural";

/**
 * `field` names the invalid input, so that the form can show the message beside it. `stale`: the token of a page
 * without a session has expired; the page gets a new one with the `session` query and tries once more. `elsewhere`:
 * the page shows another organization than the session's current one. `too_many`: more requests than one person may
 * send; the pages wait and try again.
 */
export type Problem = {
  readonly code:
    | "signed_out"
    | "stale"
    | "forbidden"
    | "elsewhere"
    | "not_found"
    | "invalid"
    | "busy"
    | "too_many"
    | "conflict"
    | "failed";
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
};

/** Times are ISO 8601 in UTC, days `YYYY-MM-DD`, credits whole numbers. The cursor is null on the last page. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null };

export type SessionView = {
  /** Null if nobody is signed in. */
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly hasPassword: boolean;
    /** True shortly after coming by a set-password link: the old password is not asked for then. */
    readonly mayChoosePassword: boolean;
  } | null;
  /** The session's current organization; null if the person belongs to none. */
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly plan: string;
    readonly isActive: boolean;
    readonly role: Role;
  } | null;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** Bound to this session and organization; sent back with every request. */
  readonly token: string;
  readonly service: {
    readonly publicUrl: string;
    readonly version: string;
    readonly signUpIsOpen: boolean;
    readonly sendsMail: boolean;
    readonly payments: "stripe" | "test" | "none";
    readonly aliasPrefix: string;
    /** What the operator types to run a command. */
    readonly command: string;
  };
};

export type BalanceNow = {
  readonly subscription: number;
  readonly anytime: number;
  readonly held: number;
  /** Always 0 for members. */
  readonly debt: number;
  readonly subscriptionExpiresAt: string | null;
  readonly subscriptionGranted: number;
  /** `low`: the condition of the low-balance email, with holds counted in the same way. `empty`: no call can start. */
  readonly level: "fine" | "low" | "empty";
  /** At the pace of the last seven days, without the next month's credits. Null for members. */
  readonly forecast: {
    readonly spentPerDay: number;
    /** Null while nothing is spent. */
    readonly lastsDays: number | null;
    /** How many of the month's credits will be left when they expire. */
    readonly expiresUnused: number;
  } | null;
};

export type RequestRow = {
  readonly requestId: string;
  readonly createdAt: string;
  readonly endpoint: string;
  readonly model: string;
  readonly status: "succeeded" | "failed" | "cancelled" | "processing";
  /** Always null for members, who may not see keys. */
  readonly keyName: string | null;
  readonly memberName: string | null;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly latencyMs: number | null;
  readonly errorCode: string | null;
  /** Absent from nodes of the previous version, which may answer a newer page during a rolling upgrade. */
  readonly reason?: string | null;
};

export type Split = "model" | "key" | "member" | "endpoint";
/** Members see only their own calls, whatever they ask for. */
export type UsageFilter = {
  readonly days: number;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  /** `none`: calls that are not attributed to any member. */
  readonly memberId?: string | undefined;
  readonly endpoint?: string | undefined;
};
/** Sums are not kept by status, so only lists can be filtered by it. */
export type RequestFilter = UsageFilter & {
  readonly status?: RequestRow["status"] | undefined;
  readonly sort?: "time" | "credits" | "tokens" | "latency" | undefined;
  readonly order?: "down" | "up" | undefined;
};

export type UsageSums = {
  readonly requests: number;
  readonly failed: number;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  /**
   * Upper bound of what the saved tokens would have cost, at each model's current input price, to a hundredth of a
   * credit. Null if unknown.
   */
  readonly creditsSaved: number | null;
  /**
   * Input tokens that providers read from their caches or wrote to them, and what that saved net of cache prices, to a
   * hundredth of a credit; negative if writing cost more. Absent from nodes of the previous version.
   */
  readonly cache?: { readonly readTokens: number; readonly writtenTokens: number; readonly saved: number };
  /**
   * Calls that were refused before they held anything, most first. Empty for members, and under a filter by member or
   * endpoint. Absent from nodes of the previous version, which may answer a newer page during a rolling upgrade.
   */
  readonly refusals?: readonly { readonly code: string; readonly requests: number }[];
};

export type UsageReport = {
  readonly sums: UsageSums;
  readonly days: readonly string[];
  /** Largest first, at most eight, plus one for the rest. `creditsByDay` is in the order of `days`. */
  readonly parts: readonly {
    /** Null for unattributed usage, and for the rest. */
    readonly id: string | null;
    readonly name: string;
    readonly isRest: boolean;
    readonly credits: number;
    readonly requests: number;
    /** As in the sums, and absent likewise. */
    readonly cacheSaved?: number;
    readonly creditsByDay: readonly number[];
  }[];
  readonly choices: {
    readonly models: readonly string[];
    readonly endpoints: readonly string[];
    readonly keys: readonly { readonly id: string; readonly name: string }[];
    readonly members: readonly { readonly id: string; readonly name: string }[];
  };
};

export type Receipt = RequestRow & {
  readonly settledAt: string | null;
  readonly held: number;
  readonly chargedSubscription: number;
  readonly chargedAnytime: number;
  readonly writtenOff: number;
  /** What could be spent right after it; null while it runs. */
  readonly leftAfter: number | null;
  readonly creditsSaved: number;
  /** What the provider's cache saved, net; null if it was not used. Absent from nodes of the previous version. */
  readonly cacheSaved?: number | null;
  /** As text: the price at the time of the call. */
  readonly price: string | null;
  /**
   * What the price was applied to, as text; null if the token counts say it. Absent from nodes of the previous
   * version, which may answer a newer page during a rolling upgrade.
   */
  readonly measured?: {
    /** About the input tokens. */
    readonly input: string | null;
    readonly output: string | null;
    readonly work: string | null;
  };
  readonly target: string | null;
  /** True if its process was lost before it ended, so the sweeper released the hold. */
  readonly isGivenUp: boolean;
  readonly assets: readonly AssetRow[];
};

export type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly state: "active" | "expired" | "revoked";
  readonly createdAt: string;
  readonly mintedBy: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly requestsPerMinute: number | null;
  readonly inFlight: number | null;
  /** In the last 30 days. */
  readonly credits: number;
  readonly requests: number;
  /** Until when the previous secret still works after a rotation. */
  readonly graceEndsAt: string | null;
};

/** Shown once and never again. */
export type MintedKeyView = { readonly id: string; readonly name: string; readonly secret: string };

export type MemberRow = {
  /** The value for `X-Member-User-Id`. */
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joinedAt: string;
  readonly credits: number;
  readonly requests: number;
};

export type InvitationRow = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: string;
};

export type ModelRow = {
  readonly id: string;
  readonly name: string;
  readonly type: "text" | "image" | "video" | "audio";
  readonly provider: string;
  readonly description: string | null;
  readonly aliases: readonly string[];
  readonly capabilities: readonly string[];
  /** As text: "1 credit per 1,000 tokens in …". */
  readonly price: string;
  /** As text, one entry per limit. */
  readonly limits: readonly string[];
  readonly isOn: boolean;
  /** The options of the playground's form. */
  readonly choices: {
    readonly audioKind?: "speech" | "music";
    readonly aspectRatios?: readonly string[];
    readonly tiers?: readonly string[];
    readonly resolutions?: readonly string[];
    readonly voices?: readonly string[];
    readonly styles?: readonly string[];
    readonly durationSeconds?: {
      readonly min: number;
      readonly max: number;
      readonly usual: number;
      readonly values: readonly number[] | null;
    };
    readonly maxOutputTokens?: number;
  };
};

export type AssetRow = {
  readonly id: string;
  readonly type: "image" | "video" | "audio";
  readonly url: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly model: string;
  readonly prompt: string | null;
  readonly requestId: string;
  readonly memberName: string | null;
  readonly credits: number;
  readonly createdAt: string;
  readonly mayDelete: boolean;
};

export type LedgerRow = {
  readonly id: string;
  readonly createdAt: string;
  readonly type: "grant" | "charge" | "expire" | "adjust";
  readonly pool: Pool;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly requestId: string | null;
  readonly description: string;
};

export type OrderRow = {
  readonly id: string;
  readonly createdAt: string;
  readonly kind: "pack" | "plan";
  /** Name of the pack or plan. */
  readonly item: string;
  /** Credits of the pack, or per month of the plan. */
  readonly credits: number;
  readonly usd: number;
  readonly refundedUsd: number;
  readonly status: "open" | "paid" | "expired" | "refunded" | "disputed";
  /** Paid on the marked test page: no money was involved. */
  readonly isTest: boolean;
};

type PlanTerms = { readonly usd: number; readonly monthlyCredits: number };

export type BillingView = {
  readonly balance: {
    readonly subscription: number;
    readonly anytime: number;
    readonly held: number;
    /** Always 0 for members. */
    readonly debt: number;
    /** Value of the credits that can be spent now. */
    readonly worthUsd: number;
    readonly subscriptionExpiresAt: string | null;
  };
  readonly plan: string;
  /** When the next month's credits arrive; null if none will. */
  readonly renewsAt: string | null;
  /** `stripe`: credits come when a month is paid. `schedule`: they come by themselves, as agreed with the operator. */
  readonly paidBy: "stripe" | "test" | "schedule";
  /** What each month costs and brings, as it was when ordered; null if nobody pays. */
  readonly paid: PlanTerms | null;
  /** When the plan falls back to the free one; null while it continues. */
  readonly endsAt: string | null;
  /** The plan that replaces it when the next month begins. */
  readonly nextPlan: string | null;
  /** Set if the last payment failed; `payUrl` is where it can be paid by hand. Null for members. */
  readonly paymentFailed: { readonly payUrl: string | null } | null;
  readonly hasPortal: boolean;
  /** As currently sold; the paid plan, and the one that follows it, as they were ordered. */
  readonly plans: readonly (PlanTerms & {
    readonly name: string;
    readonly requestsPerMinute: number;
    readonly inFlight: number;
    readonly videoJobs: number;
    /**
     * What choosing this plan would do. `checkout`: starts once it is paid. `later`: starts when the paid month is
     * over. `now`: starts at once. `stay`: cancels the pending change. The others do nothing: `same` is already the
     * plan, `arranged` can only be changed by the operator, `off` means that nothing can be paid here.
     */
    readonly change: "checkout" | "later" | "now" | "stay" | "same" | "arranged" | "off";
  })[];
  readonly packs: readonly { readonly name: string; readonly usd: number; readonly credits: number }[];
  /** The newest orders; empty for members. */
  readonly orders: readonly OrderRow[];
  /** Owners and admins, whom a member can ask to buy. */
  readonly buyers: readonly { readonly name: string; readonly email: string }[];
};

export type SettingsView = {
  readonly name: string;
  readonly slug: string;
  readonly plan: string;
  readonly efficiency: EfficiencyLevel;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly limits: {
    readonly requestsPerMinute: number;
    readonly inFlight: number;
    readonly videoJobs: number;
    readonly inFlightNow: number;
    readonly videoJobsNow: number;
  };
};

export type OwnSession = {
  readonly id: string;
  readonly isThis: boolean;
  readonly device: string;
  readonly address: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
};

type Ask<Input, Output> = { readonly input: Input; readonly output: Output };
type Nothing = Record<string, never>;
type Paged = { readonly cursor?: string; readonly limit?: number };

/** Reads; they change nothing. */
export type Queries = {
  session: Ask<Nothing, SessionView>;
  overview: Ask<
    Nothing,
    {
      readonly balance: BalanceNow;
      readonly today: UsageSums;
      /** Since the day on which the open period began, as far back as the report goes. */
      readonly period: UsageSums & { readonly since: string; readonly isOpenPeriod: boolean };
      /** The last 30 days, or the open period if that is longer, by model. */
      readonly report: UsageReport;
      readonly recent: readonly RequestRow[];
    }
  >;
  usage: Ask<UsageFilter & { readonly split: Split }, UsageReport>;
  /** If sorted by anything but time, only the newest 5,000 matches are considered. */
  requests: Ask<
    RequestFilter & { readonly cursor?: string | undefined; readonly limit?: number | undefined },
    Page<RequestRow> & {
      /** True if there were more calls than were considered. */
      readonly isCut: boolean;
    }
  >;
  receipt: Ask<{ readonly requestId: string }, Receipt>;
  keys: Ask<Nothing, readonly KeyRow[]>;
  members: Ask<
    Nothing,
    { readonly members: readonly MemberRow[]; readonly invitations: readonly InvitationRow[] }
  >;
  models: Ask<Nothing, readonly ModelRow[]>;
  assets: Ask<
    {
      readonly type?: AssetRow["type"] | undefined;
      readonly model?: string | undefined;
      /** Members see only their own, whatever they ask for. */
      readonly memberId?: string | undefined;
      readonly cursor?: string | undefined;
      readonly limit?: number | undefined;
    },
    Page<AssetRow>
  >;
  asset: Ask<{ readonly id: string }, AssetRow>;
  ledger: Ask<Paged & { readonly pool?: Pool; readonly type?: LedgerRow["type"] }, Page<LedgerRow>>;
  billing: Ask<Nothing, BillingView>;
  order: Ask<{ readonly id: string }, OrderRow>;
  settings: Ask<Nothing, SettingsView>;
  sessions: Ask<Nothing, readonly OwnSession[]>;
  invitation: Ask<
    { readonly token: string },
    {
      readonly organization: string;
      readonly email: string;
      readonly role: Role;
      readonly invitedBy: string;
      readonly expiresAt: string;
    }
  >;
};

/**
 * Reads that return a file: `GET /console/api/<name>?input=<JSON>`. The URL is complete by itself: instead of a token,
 * the input names the organization that the page shows.
 */
export type Downloads = {
  /** At most the newest 100,000 requests, always newest first, whatever `sort` says. */
  "usage.csv": RequestFilter & { readonly organizationId: string };
};

/** Each changes something, once. */
export type Commands = {
  "sign-in": Ask<{ readonly email: string; readonly password: string }, Nothing>;
  /**
   * Creates a person and their first organization; only if sign-up is open. If mail is configured, the address must be
   * proved: a link is mailed, everyone gets the same answer, and the password is chosen after opening the link.
   */
  "sign-up": Ask<
    {
      readonly name: string;
      readonly email: string;
      readonly password?: string | undefined;
      readonly organization: string;
    },
    { readonly mailed: boolean }
  >;
  /** With the token of the mailed link; a password is chosen next. */
  "confirm-sign-up": Ask<{ readonly token: string }, Nothing>;
  "sign-out": Ask<Nothing, Nothing>;
  "sign-out-everywhere": Ask<Nothing, Nothing>;
  "end-session": Ask<{ readonly id: string }, Nothing>;
  /** With the token of a one-time link; `mustChoosePassword` if the link was for choosing a password. */
  "redeem-link": Ask<{ readonly token: string }, { readonly mustChoosePassword: boolean }>;
  /** If mail is configured: mails a link for choosing a new password to the address. Same answer for every address. */
  "request-link": Ask<{ readonly email: string }, Nothing>;
  "choose-password": Ask<{ readonly password: string }, Nothing>;
  /** `current` is omitted if there is no password yet and the sign-in is less than an hour old. Ends other sessions. */
  "change-password": Ask<{ readonly current?: string | undefined; readonly password: string }, Nothing>;
  rename: Ask<{ readonly name: string }, Nothing>;
  /** Someone without an account gives name and password; someone with one must be signed in with that address. */
  "accept-invitation": Ask<
    { readonly token: string; readonly name?: string | undefined; readonly password?: string | undefined },
    Nothing
  >;
  "choose-organization": Ask<{ readonly id: string }, Nothing>;
  "mint-key": Ask<
    {
      readonly name: string;
      readonly scopes: readonly Scope[];
      /** Starting now; never expires if omitted. */
      readonly expiresInDays?: number | undefined;
      readonly requestsPerMinute?: number | undefined;
      readonly inFlight?: number | undefined;
    },
    MintedKeyView
  >;
  "rotate-key": Ask<{ readonly id: string; readonly graceHours: number }, MintedKeyView>;
  "revoke-key": Ask<{ readonly id: string }, Nothing>;
  /**
   * If mail is configured, the link is mailed and shown to nobody: the inviter learns neither whether the address has
   * an account nor a way to open one in its name. Otherwise the link is shown once, to be passed on.
   */
  "invite-member": Ask<{ readonly email: string; readonly role: Role }, { readonly link: string | null }>;
  "cancel-invitation": Ask<{ readonly id: string }, Nothing>;
  /** `seenRole` is what the page showed; if the role has changed since, it is a conflict. */
  "change-role": Ask<{ readonly userId: string; readonly role: Role; readonly seenRole: Role }, Nothing>;
  "remove-member": Ask<{ readonly userId: string }, Nothing>;
  "switch-model": Ask<{ readonly id: string; readonly isOn: boolean }, Nothing>;
  "delete-asset": Ask<{ readonly id: string }, Nothing>;
  /** Returns the URL of the checkout. */
  "buy-packs": Ask<{ readonly packs: readonly string[] }, { readonly url: string }>;
  /** Returns the URL of the checkout; null if nothing has to be paid now. */
  "change-plan": Ask<{ readonly plan: string }, { readonly url: string | null }>;
  /** Only on the marked test page, if there is one. */
  "pay-test-order": Ask<{ readonly id: string }, Nothing>;
  /** Returns the URL of the customer's page at Stripe: card, invoices. */
  "manage-payments": Ask<Nothing, { readonly url: string }>;
  "update-settings": Ask<
    {
      readonly name?: string | undefined;
      readonly efficiency?: EfficiencyLevel | undefined;
      /** What the page showed; if it has changed since, it is a conflict whose message names the current value. */
      readonly seenName?: string | undefined;
      readonly seenEfficiency?: EfficiencyLevel | undefined;
    },
    SettingsView
  >;
  /** `confirm` repeats the organization's slug. */
  deactivate: Ask<{ readonly confirm: string }, Nothing>;
};
