import type { Library } from "../../assets/index.ts";
import type { Billing, Payments } from "../../billing/index.ts";
import type { Catalog } from "../../catalog/index.ts";
import type { Identity } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { Usage } from "../../usage/index.ts";
import type { Accounts } from "./accounts.ts";
import type { AskAllowance } from "./ask-allowance.ts";
import type { CommandGuard } from "./command-guard.ts";
import type { SessionView } from "./contract.ts";
import type { PasswordTickets } from "./password-ticket.ts";
import type { SignInBrake } from "./sign-in-brake.ts";

type ConsoleConfig = {
  /** An origin; pages, cookies and the origin check go by it, never by the Host header. */
  readonly publicUrl: string;
  readonly secret: string;
  /** Of the organizations that people make for themselves. */
  readonly signUpPlan: string;
  /** Worth of a credit in millionths of a US dollar. */
  readonly creditMicroUsd: number;
  /** What pages are told of the service. */
  readonly service: SessionView["service"];
};

export type Mail = {
  /** Whether a message would be taken at this moment: for what must not be done where it cannot be told. */
  hasRoom(): boolean;
  /** Throws when the message could not be handed over. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
};

/** What the rest of the house gives the console. */
export type ConsoleDeps = {
  readonly identity: Pick<Identity, "keys" | "organizations" | "members" | "invitations" | "people">;
  readonly billing: Pick<Billing, "startPlan">;
  readonly payments: Payments;
  /** So long a page waits for what a schedule would do, too. */
  readonly stripeWaitMs?: number;
  readonly ledger: Pick<Ledger, "account">;
  /** Null where mail is not set up. */
  readonly mail: Mail | null;
  readonly usage: Usage;
  readonly catalog: Catalog;
  readonly library: Pick<Library, "list" | "find" | "ofRequest" | "delete">;
  readonly config: ConsoleConfig;
  readonly clock: Clock;
  readonly log: Log;
};

/** What the console's pages are made from. */
export type ConsoleParts = ConsoleDeps & {
  readonly accounts: Accounts;
  readonly guard: CommandGuard;
  readonly tickets: PasswordTickets;
  readonly brake: SignInBrake;
  readonly signUpBrake: SignInBrake;
  /** Its targets are an organization's: none keeps others from inviting the same address. */
  readonly invitationBrake: SignInBrake;
  /** The same for an address alone, further: whoever has it is not flooded by many organizations either. */
  readonly invitedBrake: SignInBrake;
  /** For who accepts one without an account: its targets are invitations. */
  readonly acceptBrake: SignInBrake;
  /** For strangers, who must not use up what admins may send. */
  readonly linkBrake: SignInBrake;
  readonly allowance: AskAllowance;
};
