import { z } from "zod";
import { isOneTimeToken, MAX_EMAIL_CHARS } from "../../../identity/index.ts";
import { forbidden, invalidInput, type Mail, mailBusy } from "../../../operations/index.ts";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../accounts/accounts-package.ts";
import type { Asker } from "../accounts/accounts-session.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command } from "./operation.ts";
import { ConsoleProblem, signInBusy, tooManyAttempts } from "./problem.ts";

/** One answer for unknown, used, expired and replaced links: trying reveals nothing. */
const DEAD =
  "This link no longer works. A link works once, for three days, and not after a newer link, a new password or signing out everywhere. Ask whoever runs this Bursar for a new one.";

/** Opening a link's page changes nothing, so that a mail scanner does not use it up; this command does. */
export function redeemLinkCommand(parts: ConsoleParts): Command<"redeem-link"> {
  const { accounts, identity, log, tickets } = parts;

  function enter(asker: Asker, token: string) {
    return accounts.together(async (client) => {
      const redeemed = await identity.members.redeemLink(token, client);
      const opened = redeemed && (await accounts.openSession(asker, redeemed.userId));
      return opened && { purpose: redeemed.purpose, ...opened };
    });
  }

  return {
    who: "anyone",
    input: z.strictObject({ token: z.string() }),
    async run(ask, { token }) {
      const entered = isOneTimeToken(token) ? await enter(ask.asker, token) : null;
      if (!entered) {
        log.info("console_link_refused", { client_address: ask.asker.clientAddress });
        throw new ConsoleProblem({ code: "not_found", message: DEAD });
      }
      const { purpose, session, cookies } = entered;
      log.info("console_signed_in", { by: purpose, user_id: session.userId });
      ask.setCookies(cookies);
      const mustChoosePassword = purpose === "set-password";
      if (mustChoosePassword) tickets.give(ask, session);
      return { mustChoosePassword };
    },
  };
}

/** For a forgotten password. Neither the answer nor its timing reveals whether the address has an account. */
export function requestLinkCommand(parts: ConsoleParts): Command<"request-link"> {
  const { config, identity, linkBrake, log, mail } = parts;

  async function write(email: string, sendBy: Mail): Promise<void> {
    const link = await identity.members.link({ email, purpose: "set-password" });
    if (!link) return;
    await sendBy.send({
      to: email,
      subject: "Choose a new password",
      text: `Someone, probably you, asked for a new password for your Bursar account. This link works once, for three days:\n${config.publicUrl}/console/link/${link.token}\n\nIf it was not you, you can ignore this email.\n`,
    });
  }

  return {
    who: "anyone",
    input: z.strictObject({ email: z.string().max(MAX_EMAIL_CHARS) }),
    async run({ asker }, input) {
      if (!mail) throw forbidden("This Bursar sends no email. Ask whoever runs it for a new link.");
      const email = input.email.trim().toLowerCase();
      const attempt = linkBrake.begin({ clientAddress: asker.clientAddress, target: email });
      if (attempt.outcome === "wait") {
        throw tooManyAttempts(attempt.retryAfterSeconds);
      }
      // Before the older link is replaced, and for every address alike: nobody would receive the new one.
      if (!mail.hasRoom()) {
        attempt.succeed();
        throw mailBusy();
      }
      void write(email, mail).catch((error) => log.error("console_link_not_mailed", { error }));
      return {};
    },
  };
}

/** Only for someone who came by a set-password link; everyone else must know the old password. */
export function choosePasswordCommand(parts: ConsoleParts): Command<"choose-password"> {
  const { accounts, log, tickets } = parts;
  return {
    who: "person",
    input: z.strictObject({ password: z.string() }),
    async run(ask, { password }) {
      const overdue = () => forbidden("Choosing a password took too long. Ask for a new link.");
      if (!tickets.holds(ask, ask.signedIn)) throw overdue();
      checkPassword(password);
      const chosen = await accounts.passwords.choose(ask.asker, ask.signedIn, password);
      if (chosen.outcome === "busy") throw signInBusy();
      if (chosen.outcome === "gone") throw overdue();
      tickets.take(ask);
      log.info("console_password_chosen", { user_id: ask.signedIn.userId });
      ask.setCookies(chosen.cookies);
      return {};
    },
  };
}

export function checkPassword(password: string): void {
  const { length } = password;
  if (length < MIN_PASSWORD_CHARS || length > MAX_PASSWORD_CHARS) {
    throw invalidInput(
      "password",
      `A password must have ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters.`,
    );
  }
  if (password.trim() === "") throw invalidInput("password", "A password must not be only spaces.");
}
