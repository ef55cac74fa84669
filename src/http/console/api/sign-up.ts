import { z } from "zod";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { createSignUpLinks, type WantedSignUp } from "../sign-up-links.ts";
import { createNewcomer } from "./newcomer.ts";
import type { Command } from "./operation.ts";
import { busy, ConsoleProblem, forbidden, invalidInput } from "./problem.ts";
import { refused } from "./refused.ts";

const DEAD =
  "This link no longer works. It works once and for a day. If you have an account by now, sign in; else sign up again.";

/** Said about an address only where no mail could prove it: see docs/configuration.md. */
const TAKEN = "This address cannot be used for a new account. If it is yours, sign in.";

function signUpOf({ identity, config, billing, log }: ConsoleParts) {
  return {
    check(wanted: WantedSignUp) {
      if (!config.service.signUpIsOpen) throw forbidden("New accounts are made by invitation only.");
      const checked = identity.people.checkSignUp({ ...wanted, plan: config.signUpPlan });
      if (checked.outcome !== "ok") throw refused(checked, "account", {});
    },
    /** Null where the address has an account. */
    async make(wanted: WantedSignUp): Promise<{ userId: string } | null> {
      const made = await identity.people.signUp({ ...wanted, plan: config.signUpPlan });
      if (made.outcome === "has_account") return null;
      if (made.outcome !== "ok") throw refused(made, "account", {});
      await billing.startPlan(made.organization.id);
      log.info("console_signed_up", { org_id: made.organization.id, user_id: made.userId });
      return { userId: made.userId };
    },
  };
}

export function signUpCommand(parts: ConsoleParts): Command<"sign-up"> {
  const { config, identity, log, mail, signUpBrake } = parts;
  const signUp = signUpOf(parts);
  const newcomer = createNewcomer(parts);
  const links = createSignUpLinks({ secret: config.secret, clock: parts.clock });

  function brake(ask: Ask, email: string): void {
    const attempt = signUpBrake.begin({ clientAddress: ask.asker.clientAddress, email });
    if (attempt.outcome === "go") return;
    log.warn("console_sign_up_braked", { client_address: ask.asker.clientAddress });
    throw busy("Many accounts were made from here. Try again later.", attempt.retryAfterSeconds);
  }

  return {
    who: "anyone",
    input: z.strictObject({
      name: z.string(),
      email: z.string().max(254),
      password: z.string().optional(),
      organization: z.string(),
    }),
    async run(ask, { password, ...given }) {
      const wanted = { ...given, email: given.email.trim().toLowerCase() };
      signUp.check(wanted);
      brake(ask, wanted.email);
      if (mail) {
        // One mail either way, so that neither the answer nor its time tells who has an account.
        const isKnown = await identity.people.hasAccount(wanted.email);
        const link = isKnown ? "" : `${config.publicUrl}/console/sign-up/${links.create(wanted)}`;
        await mail.send({ to: wanted.email, ...messageFor(config.publicUrl, link) });
        return { mailed: true };
      }
      const keep = await newcomer.prepare(password);
      const made = await signUp.make(wanted);
      if (!made) throw invalidInput("email", TAKEN);
      await keep(ask, made.userId);
      return { mailed: false };
    },
  };
}

function messageFor(publicUrl: string, link: string): { subject: string; text: string } {
  return link === ""
    ? {
        subject: "You have a Bursar account already",
        text: `Somebody, probably you, wanted to make a Bursar account with this address. There is one already: sign in at ${publicUrl}/console\n\nIf it was not you, there is nothing to do.\n`,
      }
    : {
        subject: "Finish your Bursar account",
        text: `Somebody, probably you, wants to make a Bursar account with this address. To finish it, open this link within a day:\n${link}\n\nIf it was not you, there is nothing to do.\n`,
      };
}

/** Who comes back with the link has proven the address; they choose a password next. */
export function confirmSignUpCommand(parts: ConsoleParts): Command<"confirm-sign-up"> {
  const { accounts, config, tickets } = parts;
  const signUp = signUpOf(parts);
  const links = createSignUpLinks({ secret: config.secret, clock: parts.clock });
  return {
    who: "anyone",
    input: z.strictObject({ token: z.string() }),
    async run(ask, { token }) {
      const wanted = links.read(token);
      if (wanted) signUp.check(wanted);
      const made = wanted && (await signUp.make(wanted));
      const opened = made && (await accounts.openSession(ask.asker, made.userId));
      if (!opened) throw new ConsoleProblem({ code: "not_found", message: DEAD });
      for (const line of opened.cookies) ask.setCookie(line);
      tickets.give(ask, opened.session);
      return {};
    },
  };
}
