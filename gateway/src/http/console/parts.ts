import type { Library } from "../../assets/index.ts";
import type { Billing, Payments } from "../../billing/index.ts";
import type { Catalog } from "../../catalog/index.ts";
import type { Identity } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { Usage } from "../../usage/index.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { AskAllowance } from "./ask-allowance.ts";
import type { CommandGuard } from "./command-guard.ts";
import type { SessionView } from "./contract.ts";
import type { KnownBrowsers } from "./known-browser.ts";
import type { PasswordTickets } from "./password-ticket.ts";
import type { SignInBrake } from "./sign-in-brake.ts";

type ConsoleConfig = {
  /** Origin by which pages, cookies and the origin check go, never by the Host header. */
  readonly publicUrl: string;
  readonly secret: string;
  /** Plan of the organizations that people create by signing up. */
  readonly signUpPlan: string;
  /** Value of a credit in millionths of a US dollar. */
  readonly creditMicroUsd: number;
  /** What pages are told about the service. */
  readonly service: SessionView["service"];
};

export type Mail = {
  /** True if a message would be accepted now: for steps that are pointless if the email cannot be sent. */
  hasRoom(): boolean;
  /** Throws if the message could not be handed over. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** What the rest of the system gives the console. */
export type ConsoleDeps = {
  readonly identity: Pick<Identity, "keys" | "organizations" | "members" | "invitations" | "people">;
  readonly billing: Pick<Billing, "startPlan">;
  readonly payments: Payments;
  /** How long a page waits for work that the schedule would finish anyway. */
  readonly stripeWaitMs?: number;
  readonly ledger: Pick<Ledger, "account">;
  /** Null if mail is not configured. */
  readonly mail: Mail | null;
  readonly usage: Usage;
  readonly catalog: Catalog;
  readonly library: Pick<Library, "list" | "find" | "ofRequest" | "delete">;
  readonly config: ConsoleConfig;
  readonly clock: Clock;
  readonly log: Log;
};

/** Everything that the console's operations use. */
export type ConsoleParts = ConsoleDeps & {
  readonly accounts: Accounts;
  readonly guard: CommandGuard;
  readonly tickets: PasswordTickets;
  readonly knownBrowsers: KnownBrowsers;
  readonly brake: SignInBrake;
  readonly signUpBrake: SignInBrake;
  /** Counts per organization and address: no organization can keep others from inviting the same address. */
  readonly invitationBrake: SignInBrake;
  /** Counts per address alone, with a higher limit: many organizations together cannot flood one address either. */
  readonly invitedBrake: SignInBrake;
  /** For accepting without an account; counts per invitation. */
  readonly acceptBrake: SignInBrake;
  /** Separate, because strangers must not use up what admins may send. */
  readonly linkBrake: SignInBrake;
  readonly allowance: AskAllowance;
};
