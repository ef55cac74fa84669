import type { ConsoleParts } from "../parts.ts";
import { changePasswordCommand, renameCommand } from "./account.ts";
import { assetQuery, assetsQuery, deleteAssetCommand } from "./assets.ts";
import {
  billingQuery,
  buyPacksCommand,
  changePlanCommand,
  managePaymentsCommand,
  orderQuery,
  payTestOrderCommand,
} from "./billing.ts";
import {
  acceptInvitationCommand,
  cancelInvitationCommand,
  invitationQuery,
  inviteMemberCommand,
} from "./invitations.ts";
import { keysQuery, mintKeyCommand, revokeKeyCommand, rotateKeyCommand } from "./keys.ts";
import { ledgerQuery } from "./ledger.ts";
import { choosePasswordCommand, redeemLinkCommand, requestLinkCommand } from "./link.ts";
import { changeRoleCommand, membersQuery, removeMemberCommand } from "./members.ts";
import { modelsQuery, switchModelCommand } from "./models.ts";
import type { CommandTable, DownloadTable, QueryTable } from "./operation.ts";
import { overviewQuery } from "./overview.ts";
import { receiptQuery } from "./receipt.ts";
import { requestsQuery } from "./requests.ts";
import { chooseOrganizationCommand, sessionQuery } from "./session.ts";
import { endSessionCommand, sessionsQuery, signOutEverywhereCommand } from "./sessions.ts";
import { deactivateCommand, settingsQuery, updateSettingsCommand } from "./settings.ts";
import { signInCommand, signOutCommand } from "./sign-in.ts";
import { confirmSignUpCommand, signUpCommand } from "./sign-up.ts";
import { usageQuery } from "./usage.ts";
import { usageCsvDownload } from "./usage-csv.ts";

/** Everything that the web app can request, by the names of the contract. */
export function createQueries(parts: ConsoleParts): QueryTable {
  return {
    session: sessionQuery(parts),
    sessions: sessionsQuery(parts),
    keys: keysQuery(parts),
    members: membersQuery(parts),
    invitation: invitationQuery(parts),
    assets: assetsQuery(parts),
    asset: assetQuery(parts),
    billing: billingQuery(parts),
    order: orderQuery(parts),
    ledger: ledgerQuery(parts),
    overview: overviewQuery(parts),
    usage: usageQuery(parts),
    requests: requestsQuery(parts),
    receipt: receiptQuery(parts),
    models: modelsQuery(parts),
    settings: settingsQuery(parts),
  };
}

export function createCommands(parts: ConsoleParts): CommandTable {
  return {
    "sign-in": signInCommand(parts),
    "sign-up": signUpCommand(parts),
    "confirm-sign-up": confirmSignUpCommand(parts),
    "sign-out": signOutCommand(parts),
    "sign-out-everywhere": signOutEverywhereCommand(parts),
    "end-session": endSessionCommand(parts),
    "redeem-link": redeemLinkCommand(parts),
    "request-link": requestLinkCommand(parts),
    "choose-password": choosePasswordCommand(parts),
    "change-password": changePasswordCommand(parts),
    rename: renameCommand(parts),
    "choose-organization": chooseOrganizationCommand(parts),
    "accept-invitation": acceptInvitationCommand(parts),
    "mint-key": mintKeyCommand(parts),
    "rotate-key": rotateKeyCommand(parts),
    "revoke-key": revokeKeyCommand(parts),
    "invite-member": inviteMemberCommand(parts),
    "cancel-invitation": cancelInvitationCommand(parts),
    "change-role": changeRoleCommand(parts),
    "remove-member": removeMemberCommand(parts),
    "delete-asset": deleteAssetCommand(parts),
    "buy-packs": buyPacksCommand(parts),
    "change-plan": changePlanCommand(parts),
    "pay-test-order": payTestOrderCommand(parts),
    "manage-payments": managePaymentsCommand(parts),
    "switch-model": switchModelCommand(parts),
    "update-settings": updateSettingsCommand(parts),
    deactivate: deactivateCommand(parts),
  };
}

export function createDownloads(parts: ConsoleParts): DownloadTable {
  return { "usage.csv": usageCsvDownload(parts) };
}
