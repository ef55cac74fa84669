import { z } from "zod";
import { MAX_EMAIL_CHARS } from "../../../identity/index.ts";
import { busy } from "../../../operations/index.ts";
import { MOST_TYPED_CHARS } from "../accounts/accounts-package.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command } from "./operation.ts";
import { ConsoleProblem, signInBusy } from "./problem.ts";

/** One message for all cases: it must not reveal which addresses have an account. */
const REFUSED = "Wrong email or password.";

export function signInCommand(parts: ConsoleParts): Command<"sign-in"> {
  const { accounts, brake, knownBrowsers, log } = parts;
  return {
    who: "anyone",
    input: z.strictObject({ email: z.string(), password: z.string().max(MOST_TYPED_CHARS) }),
    async run(ask, input) {
      const { clientAddress } = ask.asker;
      const email = input.email.trim().toLowerCase().slice(0, MAX_EMAIL_CHARS);
      const attempt = brake.begin({
        clientAddress,
        target: email,
        knownBrowser: knownBrowsers.find(ask, email),
      });
      if (attempt.outcome === "wait") {
        log.warn("console_sign_in_braked", { client_address: clientAddress });
        const minutes = Math.ceil(attempt.retryAfterSeconds / 60);
        throw busy(
          `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, or ask for a new link.`,
          attempt.retryAfterSeconds,
        );
      }
      const result = await accounts.signIn(ask.asker, { email, password: input.password });
      if (result.outcome === "refused") {
        log.info("console_sign_in_refused", { client_address: clientAddress });
        throw new ConsoleProblem({ code: "invalid", message: REFUSED });
      }
      attempt.succeed();
      if (result.outcome === "busy") throw signInBusy();
      log.info("console_signed_in", { by: "password", user_id: result.userId });
      ask.setCookies(result.cookies);
      return {};
    },
  };
}

export function signOutCommand({ accounts, log }: ConsoleParts): Command<"sign-out"> {
  return {
    who: "person",
    input: z.strictObject({}),
    async run(ask) {
      ask.setCookies(await accounts.signOut(ask.asker));
      log.info("console_signed_out", { user_id: ask.signedIn.userId });
      return {};
    },
  };
}
