import type { z } from "zod";
import type { FILE, OperationTable, OutputOf } from "../../operations/index.ts";

/**
 * The contract between the console's pages and the gateway: the only file that the web app imports, and only its
 * types. A query is `GET /console/api/<name>?input=<JSON>`, a command `POST /console/api/<name>` with a JSON body and
 * the session's token in `x-console-token`. A query may send the token, too: then it is answered for the organization
 * that the token names, or refused. Both return `{ ok: Output }` or `{ problem: Problem }`.
 */

export type Role = "owner" | "admin" | "member";
export type Scope = KeyRow["scopes"][number];
export type EfficiencyLevel = SettingsView["efficiency"];

/** What the table of operations answers, by the names that pages use. */
type Answer<Name> = OutputOf<Name>;
export type BalanceNow = Answer<"usage.overview">["balance"];
export type RequestRow = Answer<"request.list">["rows"][number];
export type UsageSums = Answer<"usage.overview">["today"];
export type UsageReport = Answer<"usage.get">;
export type Receipt = Answer<"request.get">;
export type KeyRow = Answer<"key.list">["keys"][number];
export type MintedKeyView = Answer<"key.create">;
export type MemberRow = Answer<"member.list">["members"][number];
export type InvitationRow = Answer<"member.list">["invitations"][number];
export type ModelRow = Answer<"model.list">["models"][number];
export type AssetRow = Answer<"asset.get">;
export type LedgerRow = Answer<"ledger.list">["rows"][number];
export type OrderRow = Answer<"order.get">;
export type BillingView = Answer<"billing.get">;
export type SettingsView = Answer<"organization.get">;
export type AuditRow = Answer<"audit.list">["rows"][number];
export type Pool = LedgerRow["pool"];
export type Split = Queries["usage.get"]["input"]["split"];
export type RequestFilter = Omit<Queries["request.list"]["input"], "cursor" | "limit">;

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
    /** May do what an operator's key may. */
    readonly isOperator: boolean;
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
type Of<Access> = Exclude<Extract<OperationTable, { readonly access: Access }>, FileOperation>;
type FileOperation = Extract<OperationTable, { readonly output: typeof FILE }>;
type Asks<Table extends OperationTable> = {
  [One in Table as One["name"]]: Ask<Given<z.input<One["input"]>>, z.output<One["output"]>>;
};
/** What is given is only read. */
type Given<Input> = {
  readonly [Field in keyof Input]: Input[Field] extends readonly (infer Item)[] | undefined
    ? readonly Item[] | Extract<Input[Field], undefined>
    : Input[Field];
};
/** The log of the installation instead of the organization's. */
type OfInstallation<Table> = {
  [Name in keyof Table & Either as `installation:${Name}`]: Table[Name];
};
type Either = Extract<OperationTable, { readonly place: "either" }>["name"];

/** Reads; they change nothing. */
export type Queries = Asks<Of<"read">> & OfInstallation<Asks<Of<"read">>> & OwnQueries;
/** Each changes something, once. */
export type Commands = Asks<Of<"write">> & OfInstallation<Asks<Of<"write">>> & OwnCommands;

/**
 * Reads that return a file: `GET /console/api/<name>?input=<JSON>`. The URL is complete by itself: instead of a token,
 * the input names the organization that the page shows.
 */
export type Downloads = {
  [One in FileOperation as One["name"]]: z.input<One["input"]> & { readonly organizationId: string };
};

/** What only the console has. */
export type OwnQueries = {
  session: Ask<Nothing, SessionView>;
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

export type OwnCommands = {
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
};
