import type { Asker, OpenedSession } from "../accounts-session.ts";
import type { ConsoleParts } from "../parts.ts";
import { checkPassword } from "./link.ts";
import { signInBusy } from "./problem.ts";

/** Somebody who makes an account now. */
type Newcomer = {
  /**
   * The costly part first, while nothing is made yet: who is told that it is too busy can simply try again. What
   * it gives keeps the password for the new account and opens its first session.
   */
  prepare(
    password: string | undefined,
  ): Promise<(asker: Asker, userId: string) => Promise<OpenedSession | null>>;
};

export function createNewcomer({ accounts }: Pick<ConsoleParts, "accounts">): Newcomer {
  return {
    async prepare(password = "") {
      checkPassword(password);
      const prepared = await accounts.passwords.prepare(password);
      if (prepared.outcome === "busy") throw signInBusy();
      return async (asker, userId) => {
        await accounts.passwords.keepFirst(userId, prepared.hash);
        return accounts.openSession(asker, userId);
      };
    },
  };
}
