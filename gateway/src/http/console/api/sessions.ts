import { z } from "zod";
import { deviceWords } from "../device-words.ts";
import type { ConsoleParts } from "../parts.ts";
import type { Command, Query } from "./operation.ts";
import { noSuch } from "./problem.ts";

const nothing = z.strictObject({});

/** The person's own sessions, without their tokens. */
export function sessionsQuery({ accounts }: ConsoleParts): Query<"sessions"> {
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

export function endSessionCommand({ accounts, log }: ConsoleParts): Command<"end-session"> {
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
export function signOutEverywhereCommand({ accounts, log }: ConsoleParts): Command<"sign-out-everywhere"> {
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
