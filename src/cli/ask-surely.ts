import { isDatabaseAway, isRefusedStatement } from "../db/index.ts";
import { messageOf } from "../kit/index.ts";
import { failed } from "./cli-error.ts";

/** A database that is started anew is back within them. */
const PAUSES_MS: readonly number[] = [50, 200, 800, 2_000, 4_000];

/**
 * For what the ledger does once per id. Who loses the answer cannot tell whether it was done, so it is asked again under
 * the same id, and then finds what it did. So is a server that takes nothing just now: during a failover one only reads.
 */
export async function askSurely<T>(ask: () => Promise<T>, pausesMs = PAUSES_MS): Promise<T> {
  let isUnknown = false;
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isUndone = isRefusedStatement(error);
      // A refusal speaks for its own try alone, and not for one before it whose answer was lost.
      if (!isUnknown && isUndone && !isDatabaseAway(error)) throw error;
      isUnknown ||= !isUndone;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined) throw isUnknown ? outcomeUnknown(error) : error;
      await Bun.sleep(pauseMs);
    }
  }
}

function outcomeUnknown(error: unknown): Error {
  const cause = messageOf(error).replace(/\.$/, "");
  return failed(
    `The database did not answer (${cause}). Outcome unknown: check the ledger before you repeat the command.`,
  );
}
