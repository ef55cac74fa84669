import type { Identity } from "../../identity/index.ts";
import type { Clock } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import type { Usage } from "../../usage/index.ts";
import type { Accounts } from "./accounts.ts";
import type { CommandGuard } from "./command-guard.ts";
import type { SessionView } from "./contract.ts";
import type { PasswordTickets } from "./password-ticket.ts";
import type { SignInBrake } from "./sign-in-brake.ts";

export type ConsoleConfig = {
  /** An origin; pages, cookies and the origin check go by it, never by the Host header. */
  readonly publicUrl: string;
  readonly secret: string;
  /** What pages are told of the service. */
  readonly service: SessionView["service"];
};

/** What the console's pages are made from. */
export type ConsoleParts = {
  readonly identity: Pick<Identity, "keys" | "organizations" | "members">;
  readonly usage: Usage;
  readonly accounts: Accounts;
  readonly guard: CommandGuard;
  readonly tickets: PasswordTickets;
  readonly brake: SignInBrake;
  readonly config: ConsoleConfig;
  readonly clock: Clock;
  readonly log: Log;
};
