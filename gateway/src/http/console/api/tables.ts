import { z } from "zod";
import { forbidden, invalidInput, noSuch, refused } from "../../../operations/index.ts";
import { MOST_TYPED_CHARS } from "../accounts/accounts-package.ts";
import { deviceWords } from "../device-words.ts";
import type { ConsoleParts } from "../parts.ts";
import { acceptInvitationCommand, invitationQuery } from "./invitations.ts";
import { checkPassword, choosePasswordCommand, redeemLinkCommand, requestLinkCommand } from "./link.ts";
import type { Command, CommandTable, Query, QueryTable } from "./operation.ts";
import { signedOut, signInBusy, tooManyAttempts } from "./problem.ts";
import { chooseOrganizationCommand, sessionQuery } from "./session.ts";
import { signInCommand, signOutCommand } from "./sign-in.ts";
import { confirmSignUpCommand, signUpCommand } from "./sign-up.ts";

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

/** What the web app can request beside the table of operations, by the names of the contract. */
export function createQueries(parts: ConsoleParts): QueryTable {
  return {
    session: sessionQuery(parts),
    sessions: sessionsQuery(parts),
    invitation: invitationQuery(parts),
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
  };
}
