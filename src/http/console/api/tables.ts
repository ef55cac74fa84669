import type { ConsoleParts } from "../parts.ts";
import { choosePasswordCommand, redeemLinkCommand } from "./link.ts";
import type { CommandTable, QueryTable } from "./operation.ts";
import { chooseOrganizationCommand, sessionQuery } from "./session.ts";
import { signInCommand, signOutCommand } from "./sign-in.ts";

/** Everything that the web app can ask for, by the names of the contract. */
export function createQueries(parts: ConsoleParts): Partial<QueryTable> {
  return {
    session: sessionQuery(parts),
  };
}

export function createCommands(parts: ConsoleParts): Partial<CommandTable> {
  return {
    "sign-in": signInCommand(parts),
    "sign-out": signOutCommand(parts),
    "redeem-link": redeemLinkCommand(parts),
    "choose-password": choosePasswordCommand(parts),
    "choose-organization": chooseOrganizationCommand(parts),
  };
}
