import { forbidden } from "../../../operations/index.ts";
import type { Ask } from "../ask.ts";
import type { ConsoleParts } from "../parts.ts";
import { signedOut, stale } from "./problem.ts";

const TOO_OLD = "Nothing was changed. This page was open for too long: reload it and try again.";

/** Anything that changes something or spends must come from our own page and carry its token. */
export async function checkSender(parts: ConsoleParts, ask: Ask, { headers }: Request): Promise<void> {
  const { guard, log, config } = parts;
  if (!guard.isFromOurOrigin(headers)) {
    log.warn("console_foreign_command", { client_address: ask.asker.clientAddress });
    throw forbidden(
      `Nothing was changed. This works only at ${config.publicUrl}/console: open it there and try again.`,
    );
  }
  const session = await ask.session();
  if (!guard.pageOf(ask, session)) {
    // The token names an organization, so the page was signed in, and its session has ended since.
    if (session === null && /^[^.]/.test(ask.pageToken)) throw signedOut();
    throw session === null ? stale(TOO_OLD) : forbidden(TOO_OLD);
  }
}
