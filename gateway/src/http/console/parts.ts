import type { Billing } from "../../billing/index.ts";
import type { Catalog } from "../../catalog/index.ts";
import type { Identity } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { Mail, OperationServices } from "../../operations/index.ts";
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
  /** What pages are told about the service. */
  readonly service: SessionView["service"];
};

/** What the rest of the system gives the console. */
export type ConsoleDeps = {
  readonly identity: Pick<Identity, "keys" | "organizations" | "members" | "invitations" | "people">;
  readonly billing: Pick<Billing, "startPlan">;
  readonly operations: OperationServices;
  /** Null if mail is not configured. */
  readonly mail: Mail | null;
  readonly usage: Pick<Usage, "receipt">;
  readonly catalog: Catalog;
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
  /** For accepting without an account; counts per invitation. */
  readonly acceptBrake: SignInBrake;
  /** Separate, because strangers must not use up what admins may send. */
  readonly linkBrake: SignInBrake;
  readonly allowance: AskAllowance;
};
