import { z } from "zod";
import { creditsSavedBy, measuredWords, priceWords, readMeasured } from "../../../catalog/index.ts";
import { isRequestCursor } from "../../../usage/index.ts";
import { MOST_TYPED_CHARS } from "../accounts/accounts-package.ts";
import { deviceWords } from "../device-words.ts";
import type { ConsoleParts } from "../parts.ts";
import { maySee } from "../viewer.ts";
import { assetRowsOf } from "./asset-row.ts";
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
import { checkPassword, choosePasswordCommand, redeemLinkCommand, requestLinkCommand } from "./link.ts";
import { changeRoleCommand, membersQuery, removeMemberCommand } from "./members.ts";
import { modelsQuery, switchModelCommand } from "./models.ts";
import type { Command, CommandTable, DownloadTable, Query, QueryTable } from "./operation.ts";
import { overviewQuery } from "./overview.ts";
import { forbidden, invalidInput, noSuch, signedOut, signInBusy, tooManyAttempts } from "./problem.ts";
import { refused } from "./refused.ts";
import { chooseOrganizationCommand, sessionQuery } from "./session.ts";
import { deactivateCommand, settingsQuery, updateSettingsCommand } from "./settings.ts";
import { signInCommand, signOutCommand } from "./sign-in.ts";
import { confirmSignUpCommand, signUpCommand } from "./sign-up.ts";
import { usageQuery } from "./usage.ts";
import { usageCsvDownload } from "./usage-csv.ts";
import { requestFilterFields, requestQueryFor } from "./usage-filter.ts";
import { inCredits, requestRowOf } from "./usage-view.ts";

/** Someone without a password to prove themselves by must have signed in within this time. */
const FRESH_MS = 60 * 60_000;

/** Someone at another person's open page still needs the current password; guesses are slowed as at sign-in. */
function changePasswordCommand(parts: ConsoleParts): Command<"change-password"> {
  const { accounts, brake, clock, knownBrowsers, log } = parts;
  return {
    who: "person",
    input: z.strictObject({ current: z.string().max(MOST_TYPED_CHARS).optional(), password: z.string() }),
    async run(ask, { current, password }) {
      const { signedIn, asker } = ask;
      checkPassword(password);
      const hasOne = await accounts.passwords.has(signedIn.userId);
      if (!hasOne && clock.nowMs() - signedIn.createdAt.getTime() > FRESH_MS) {
        throw forbidden("To choose a first password, sign in with a new link and choose it within an hour.");
      }
      const attempt = brake.begin({
        clientAddress: asker.clientAddress,
        target: signedIn.email,
        knownBrowser: knownBrowsers.find(ask, signedIn.email),
      });
      if (attempt.outcome === "wait") {
        throw tooManyAttempts(attempt.retryAfterSeconds);
      }
      const changed = hasOne
        ? await accounts.passwords.change(asker, signedIn, { current: current ?? "", password })
        : await accounts.passwords.choose(asker, signedIn, password);
      if (changed.outcome === "wrong") throw invalidInput("current", "That is not your current password.");
      attempt.succeed();
      if (changed.outcome === "busy") throw signInBusy();
      if (changed.outcome === "gone") throw signedOut();
      log.info("console_password_changed", { user_id: signedIn.userId });
      ask.setCookies(changed.cookies);
      return {};
    },
  };
}

function renameCommand({ identity }: ConsoleParts): Command<"rename"> {
  return {
    who: "person",
    input: z.strictObject({ name: z.string() }),
    async run({ signedIn }, { name }) {
      const renamed = await identity.people.rename({ userId: signedIn.userId, name });
      if (renamed.outcome === "ok") return {};
      throw renamed.outcome === "invalid" ? refused(renamed, "person", {}) : signedOut();
    },
  };
}

const nothing = z.strictObject({});

/** The person's own sessions, without their tokens. */
function sessionsQuery({ accounts }: ConsoleParts): Query<"sessions"> {
  return {
    who: "person",
    input: nothing,
    async run({ signedIn }) {
      const sessions = await accounts.sessionsOf(signedIn.userId);
      return sessions.map(({ id, userAgent, clientAddress, createdAt, lastSeenAt }) => ({
        id,
        isThis: id === signedIn.id,
        device: deviceWords(userAgent),
        address: clientAddress,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      }));
    },
  };
}

function endSessionCommand({ accounts, log }: ConsoleParts): Command<"end-session"> {
  return {
    who: "person",
    input: z.strictObject({ id: z.string() }),
    async run({ signedIn }, { id }) {
      if (!(await accounts.endSession(signedIn.userId, id))) throw noSuch("session");
      log.info("console_session_ended", { user_id: signedIn.userId });
      return {};
    },
  };
}

/** Ends this session, too: someone who does not know which device was lost must be able to end all. */
function signOutEverywhereCommand({ accounts, log }: ConsoleParts): Command<"sign-out-everywhere"> {
  return {
    who: "person",
    input: nothing,
    async run(ask) {
      await accounts.endAllSessions(ask.signedIn.userId);
      ask.setCookies(await accounts.signOut(ask.asker));
      log.info("console_signed_out_everywhere", { user_id: ask.signedIn.userId });
      return {};
    },
  };
}

/** Everything about one call. To a member, someone else's call answers as if it did not exist. */
function receiptQuery(parts: ConsoleParts): Query<"receipt"> {
  const { usage, library } = parts;
  return {
    who: "member",
    input: z.strictObject({ requestId: z.string() }),
    async run({ viewer }, { requestId }) {
      const isId = z.guid().safeParse(requestId).success;
      const receipt = isId ? await usage.receipt(viewer.organization.id, requestId) : null;
      if (!receipt || !maySee(viewer, receipt.memberId)) throw noSuch("request");
      const made = await library.ofRequest(viewer.organization.id, requestId);
      const { cache_saved: cacheSaved } = readMeasured(receipt.measured);
      return {
        ...requestRowOf(viewer, receipt),
        settledAt: receipt.settledAt?.toISOString() ?? null,
        held: receipt.held,
        chargedSubscription: receipt.chargedSubscription,
        chargedAnytime: receipt.chargedAnytime,
        writtenOff: receipt.writtenOff,
        leftAfter: receipt.leftAfter,
        creditsSaved: creditsSavedBy(receipt.priceRule, receipt.tokensSaved),
        cacheSaved: cacheSaved === undefined ? null : inCredits(cacheSaved),
        price: priceWords(receipt.priceRule),
        measured: measuredWords(receipt.measured),
        target: receipt.target,
        isGivenUp: receipt.isGivenUp,
        assets: await assetRowsOf(parts, viewer, made),
      };
    },
  };
}

const USUAL_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_CURSOR_CHARS = 200;

function requestsQuery({ usage }: ConsoleParts): Query<"requests"> {
  return {
    who: "member",
    input: z.strictObject({
      ...requestFilterFields,
      cursor: z.string().max(MAX_CURSOR_CHARS).optional(),
      limit: z.int().min(1).max(MAX_LIMIT).optional(),
    }),
    async run({ viewer }, { cursor, limit = USUAL_LIMIT, ...asked }) {
      const query = requestQueryFor(viewer, asked);
      if (cursor !== undefined && !isRequestCursor(cursor, query.sort)) {
        throw invalidInput("cursor", "This page link is no longer valid. Reload the list.");
      }
      const { requests, nextCursor, isCut } = await usage.requests(viewer.organization.id, {
        ...query,
        limit,
        cursor: cursor ?? null,
      });
      return { rows: requests.map((record) => requestRowOf(viewer, record)), nextCursor, isCut };
    },
  };
}

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
