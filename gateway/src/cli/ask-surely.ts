import { isDatabaseAway, isRefusedStatement } from "../db/index.ts";
import { messageOf } from "../kit/index.ts";
import { Refused } from "../operations/index.ts";
import { failed } from "./cli-error.ts";

/** Long enough for a database that is restarted to be back. */
const PAUSES_MS: readonly number[] = [50, 200, 800, 2_000, 4_000];

/**
 * For ledger operations that take effect once per id. A caller that loses the answer cannot tell whether the operation
 * was done, so it asks again with the same id, and then finds what it did. It also retries while the server takes no
 * writes: during a failover it may be read-only.
 */
export async function askSurely<T>(ask: () => Promise<T>, pausesMs = PAUSES_MS): Promise<T> {
  let isUnknown = false;
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Refused) throw error;
      const isUndone = isRefusedStatement(error);
      // A refusal is certain only for its own try, not for an earlier one whose answer was lost.
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
