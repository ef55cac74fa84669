/**
 * What the console's pages and the gateway say to each other: the one file that the web app imports, and only its
 * types. A query is `GET /console/api/<name>?input=<JSON>`, a command `POST /console/api/<name>` with a JSON body and
 * the session's token in `x-console-token`, which a query may send, too: what it names is what is answered for, or
 * nothing. Both answer `{ ok: Output }` or `{ problem: Problem }`.
 */

export type Role = "owner" | "admin" | "member";
export type Scope = "chat" | "images" | "video" | "audio" | "usage" | "assets";
export type Pool = "subscription" | "anytime";
export type EfficiencyLevel = "off" | "safe" | "structural";

/**
 * `field` names the input at fault, so that the form can show the sentence beside it. `stale`: a page of nobody's session
 * outlived its token; it gets a new one with the session and tries once more. `elsewhere`: the page shows another
 * organization than the session has chosen since. `too_many`: more was read than one person may; the pages wait and ask
 * again.
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

/** Times are ISO 8601 in UTC, days `YYYY-MM-DD`, credits whole numbers. Null cursors: that was the last page. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null };

export type SessionView = {
  /** Null: nobody is signed in. */
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly hasPassword: boolean;
    /** Came by a link for that a short while ago, so the old one is not asked for. */
    readonly mayChoosePassword: boolean;
  } | null;
  /** The organization that is looked at; null for who belongs to none. */
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly slug: string;
    readonly plan: string;
    readonly isActive: boolean;
    readonly role: Role;
  } | null;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** Of this session and organization; sent back with everything that is asked. */
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
  /** Members are shown none. */
  readonly debt: number;
  readonly subscriptionExpiresAt: string | null;
  readonly subscriptionGranted: number;
  /** Low: as when a letter about it is sent; running calls' holds count as there. Empty: no call can start. */
  readonly level: "fine" | "low" | "empty";
  /** At the pace of the last seven days and without what comes with the next month. Not for members. */
  readonly forecast: {
    readonly spentPerDay: number;
    /** Null while nothing is spent. */
    readonly lastsDays: number | null;
    /** Of the month's credits, what will be left when they expire. */
    readonly expiresUnused: number;
  } | null;
};

export type RequestRow = {
  readonly requestId: string;
  readonly createdAt: string;
  readonly endpoint: string;
  readonly model: string;
  readonly status: "succeeded" | "failed" | "cancelled" | "processing";
  /** Null also for members: keys are not theirs to know. */
  readonly keyName: string | null;
  readonly memberName: string | null;
  readonly credits: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensSaved: number;
  readonly latencyMs: number | null;
  readonly errorCode: string | null;
};

export type Split = "model" | "key" | "member" | "endpoint";
/** Members are shown only their own, whatever they ask for. */
export type UsageFilter = {
  readonly days: number;
  readonly model?: string | undefined;
  readonly keyId?: string | undefined;
  /** `none`: what no call attributed to anybody. */
  readonly memberId?: string | undefined;
  readonly endpoint?: string | undefined;
};
/** Sums know no status, so only lists can be filtered by it. */
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
  /** The most that the saved tokens would have cost, at today's price of each model's input; to a hundredth. Null: unknown. */
  readonly creditsSaved: number | null;
};

export type UsageReport = {
  readonly sums: UsageSums;
  readonly days: readonly string[];
  /** The largest first, at most eight; the rest is one more. Values go by `days`. */
  readonly parts: readonly {
    /** Null for what is nobody's, and for the rest. */
    readonly id: string | null;
    readonly name: string;
    readonly isRest: boolean;
    readonly credits: number;
    readonly requests: number;
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
  /** In words, as it stood when the call was made. */
  readonly price: string | null;
  /**
   * What that was applied to, in words; null where the tokens say it. While nodes are replaced, one of the version before
   * may answer a newer page, and says nothing of it.
   */
  readonly measured?: {
    /** To be said of the input tokens. */
    readonly input: string | null;
    readonly output: string | null;
    readonly work: string | null;
  };
  readonly target: string | null;
  /** Nobody was there to end it, so its hold was given back. */
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
  /** Until when the secret before the last rotation still works. */
  readonly graceEndsAt: string | null;
};

/** Shown once and never again. */
export type MintedKeyView = { readonly id: string; readonly name: string; readonly secret: string };

export type MemberRow = {
  /** What `X-Member-User-Id` takes. */
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
  /** In words: "1 credit per 1,000 tokens in …". */
  readonly price: string;
  /** In words, one per limit. */
  readonly limits: readonly string[];
  readonly isOn: boolean;
  /** What the playground's form offers. */
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
  /** Of the pack, or of every month of the plan. */
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
    /** Members are shown none. */
    readonly debt: number;
    /** Of what can be spent now. */
    readonly worthUsd: number;
    readonly subscriptionExpiresAt: string | null;
  };
  readonly plan: string;
  /** When the next month's credits come; null where none will. */
  readonly renewsAt: string | null;
  /** stripe: each month when it is paid. schedule: by themselves, as agreed with whoever runs this. */
  readonly paidBy: "stripe" | "test" | "schedule";
  /** What each month is paid and brings, as it was on the day of the order; null where nobody pays. */
  readonly paid: PlanTerms | null;
  /** When the plan falls back to the free one; null while it goes on. */
  readonly endsAt: string | null;
  /** The plan that takes its place when the next month begins. */
  readonly nextPlan: string | null;
  /** The last payment could not be collected; `payUrl` is where it can be paid by hand. Not for members. */
  readonly paymentFailed: { readonly payUrl: string | null } | null;
  readonly hasPortal: boolean;
  /** As they are sold; of the one that is paid, and of the one that follows it, as they were ordered. */
  readonly plans: readonly (PlanTerms & {
    readonly name: string;
    readonly requestsPerMinute: number;
    readonly inFlight: number;
    readonly videoJobs: number;
    /**
     * What choosing it would do. checkout: it begins once it is paid. later: when the month that was paid is over. now: at
     * once. stay: what was to follow does not. The others: nothing, since it is the plan already, is for whoever runs this
     * to change, or nothing can be paid here.
     */
    readonly change: "checkout" | "later" | "now" | "stay" | "same" | "arranged" | "off";
  })[];
  readonly packs: readonly { readonly name: string; readonly usd: number; readonly credits: number }[];
  /** The newest; members are shown none. */
  readonly orders: readonly OrderRow[];
  /** Owners and admins: whom a member asks. */
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
      /** Of the last 30 days, or of the open period where that is longer, by model. */
      readonly report: UsageReport;
      readonly recent: readonly RequestRow[];
    }
  >;
  usage: Ask<UsageFilter & { readonly split: Split }, UsageReport>;
  /** Sorted by anything but the time, the newest 5,000 that match are looked at. */
  requests: Ask<
    RequestFilter & { readonly cursor?: string | undefined; readonly limit?: number | undefined },
    Page<RequestRow> & {
      /** More calls were there than were looked at. */
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
      /** Members are shown only their own, whatever they ask for. */
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
 * Reads that answer with a file: `GET /console/api/<name>?input=<JSON>`. Their address says all by itself, so the input
 * names the organization that the page shows, and not a token.
 */
export type Downloads = {
  /** The newest 100,000 at most, newest first, whatever the sort. */
  "usage.csv": RequestFilter & { readonly organizationId: string };
};

/** Each changes something, once. */
export type Commands = {
  "sign-in": Ask<{ readonly email: string; readonly password: string }, Nothing>;
  /**
   * Makes a person and their first organization; only where sign-up is open. Where mail is set up, the address must
   * be proven: a link is mailed, everybody gets the same answer, and the password is chosen behind the link.
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
  /** By the link that was mailed; a password is chosen next. */
  "confirm-sign-up": Ask<{ readonly token: string }, Nothing>;
  "sign-out": Ask<Nothing, Nothing>;
  "sign-out-everywhere": Ask<Nothing, Nothing>;
  "end-session": Ask<{ readonly id: string }, Nothing>;
  /** By a one-time link: `mustChoosePassword` where the link was for that. */
  "redeem-link": Ask<{ readonly token: string }, { readonly mustChoosePassword: boolean }>;
  /** Where mail is set up: a link to choose a new password, to whoever has the address. One answer for all. */
  "request-link": Ask<{ readonly email: string }, Nothing>;
  "choose-password": Ask<{ readonly password: string }, Nothing>;
  /** `current` is left out by who has none yet and signed in within the last hour. Ends all other sessions. */
  "change-password": Ask<{ readonly current?: string | undefined; readonly password: string }, Nothing>;
  rename: Ask<{ readonly name: string }, Nothing>;
  /** Who has no account yet gives name and password; who has one must be signed in with that address. */
  "accept-invitation": Ask<
    { readonly token: string; readonly name?: string | undefined; readonly password?: string | undefined },
    Nothing
  >;
  "choose-organization": Ask<{ readonly id: string }, Nothing>;
  "mint-key": Ask<
    {
      readonly name: string;
      readonly scopes: readonly Scope[];
      /** From now on; left out: for ever. */
      readonly expiresInDays?: number | undefined;
      readonly requestsPerMinute?: number | undefined;
      readonly inFlight?: number | undefined;
    },
    MintedKeyView
  >;
  "rotate-key": Ask<{ readonly id: string; readonly graceHours: number }, MintedKeyView>;
  "revoke-key": Ask<{ readonly id: string }, Nothing>;
  /**
   * Mailed where mail is set up, and then shown to nobody else: who invites learns neither whether the address has
   * an account nor a way to open one in its name. Otherwise the link is shown, once, to be handed over.
   */
  "invite-member": Ask<{ readonly email: string; readonly role: Role }, { readonly link: string | null }>;
  "cancel-invitation": Ask<{ readonly id: string }, Nothing>;
  /** `seenRole`: what the page showed; another by now is a conflict. */
  "change-role": Ask<{ readonly userId: string; readonly role: Role; readonly seenRole: Role }, Nothing>;
  "remove-member": Ask<{ readonly userId: string }, Nothing>;
  "switch-model": Ask<{ readonly id: string; readonly isOn: boolean }, Nothing>;
  "delete-asset": Ask<{ readonly id: string }, Nothing>;
  /** Leads to where it is paid. */
  "buy-pack": Ask<{ readonly pack: string }, { readonly url: string }>;
  /** Leads to where it is paid; null where nothing is to be paid now. */
  "change-plan": Ask<{ readonly plan: string }, { readonly url: string | null }>;
  /** On the marked test page only, where there is one. */
  "pay-test-order": Ask<{ readonly id: string }, Nothing>;
  /** Leads to the payer's own page at Stripe: card, invoices. */
  "manage-payments": Ask<Nothing, { readonly url: string }>;
  "update-settings": Ask<
    {
      readonly name?: string | undefined;
      readonly efficiency?: EfficiencyLevel | undefined;
      /** What the page showed; something else by now is a conflict, whose words say what it is. */
      readonly seenName?: string | undefined;
      readonly seenEfficiency?: EfficiencyLevel | undefined;
    },
    SettingsView
  >;
  /** `confirm` repeats the organization's slug. */
  deactivate: Ask<{ readonly confirm: string }, Nothing>;
};
