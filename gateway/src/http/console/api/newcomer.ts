import type { Asker, OpenedSession } from "../accounts/accounts-session.ts";
import type { ConsoleParts } from "../parts.ts";
import { checkPassword } from "./link.ts";
import { signInBusy } from "./problem.ts";

/**
 * For someone who is creating an account. The expensive part runs first, while nothing is created yet: if we are too
 * busy, the person can just try again. The returned function stores the password and opens the first session.
 */
export async function prepareFirstPassword(
  { accounts }: ConsoleParts,
  password = "",
): Promise<(asker: Asker, userId: string) => Promise<OpenedSession | null>> {
  checkPassword(password);
  const prepared = await accounts.passwords.prepare(password);
  if (prepared.outcome === "busy") throw signInBusy();
  return async (asker, userId) => {
    await accounts.passwords.keepFirst(userId, prepared.hash);
    return accounts.openSession(asker, userId);
  };
}
