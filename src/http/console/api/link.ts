import { z } from "zod";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../accounts-library.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command } from "./operation.ts";
import { busy, ConsoleProblem, forbidden, invalidInput } from "./problem.ts";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** One answer for unknown, used, expired and replaced: nothing is learned by trying. */
const DEAD =
  "This link no longer works. A link works once and for three days, and a newer one replaces it. Ask whoever runs this Bursar for a new one.";

/** Opening a link's page changes nothing, so that a mail scanner does not use it up; this does. */
export function redeemLinkCommand(parts: ConsoleParts): Command<"redeem-link"> {
  const { accounts, identity, log, tickets } = parts;
  return {
    who: "anyone",
    input: z.strictObject({ token: z.string() }),
    async run(ask, { token }) {
      const redeemed = TOKEN.test(token) ? await identity.members.redeemLink(token) : null;
      const opened = redeemed && (await accounts.openSession(ask.asker, redeemed.userId));
      if (!opened) {
        log.info("console_link_refused", { client_address: ask.asker.clientAddress });
        throw new ConsoleProblem({ code: "not_found", message: DEAD });
      }
      log.info("console_signed_in", { by: redeemed.purpose, user_id: redeemed.userId });
      for (const line of opened.cookies) ask.setCookie(line);
      const mustChoosePassword = redeemed.purpose === "set-password";
      if (mustChoosePassword) tickets.give(ask, opened.session);
      return { mustChoosePassword };
    },
  };
}

/** For who came by a set-password link and nobody else; everybody else knows the old one. */
export function choosePasswordCommand(parts: ConsoleParts): Command<"choose-password"> {
  const { accounts, log, tickets } = parts;
  return {
    who: "person",
    input: z.strictObject({ password: z.string() }),
    async run(ask, { password }) {
      const overdue = () => forbidden("Choosing a password took too long. Ask for a new link.");
      if (!tickets.holds(ask, ask.signedIn)) throw overdue();
      checkPassword(password);
      const { outcome } = await accounts.choosePassword(ask.signedIn, password);
      if (outcome === "busy") throw busy("Many people are signing in. Try again in a moment.", 5);
      if (outcome === "gone") throw overdue();
      tickets.take(ask);
      log.info("console_password_chosen", { user_id: ask.signedIn.userId });
      const opened = await accounts.openSession(ask.asker, ask.signedIn.userId);
      for (const line of opened?.cookies ?? []) ask.setCookie(line);
      return {};
    },
  };
}

export function checkPassword(password: string): void {
  const { length } = password;
  if (length >= MIN_PASSWORD_CHARS && length <= MAX_PASSWORD_CHARS) return;
  throw invalidInput("password", `A password has ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters.`);
}
