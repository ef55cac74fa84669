import { z } from "zod";
import { MOST_TYPED_CHARS } from "../accounts/accounts-library.ts";
import type { ConsoleParts } from "../parts.ts";
import { checkPassword } from "./link.ts";
import type { Command } from "./operation.ts";
import { forbidden, invalidInput, signedOut, signInBusy, tooManyAttempts } from "./problem.ts";
import { refused } from "./refused.ts";

/** Someone without a password to prove themselves by must have signed in within this time. */
const FRESH_MS = 60 * 60_000;

/** Someone at another person's open page still needs the current password; guesses are slowed as at sign-in. */
export function changePasswordCommand(parts: ConsoleParts): Command<"change-password"> {
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

export function renameCommand({ identity }: ConsoleParts): Command<"rename"> {
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
