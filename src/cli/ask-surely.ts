import { isRefusedStatement } from "../db/index.ts";
import { messageOf } from "../kit/index.ts";
import { failed } from "./cli-error.ts";

/** A database that is started anew is back within them. */
const PAUSES_MS: readonly number[] = [50, 200, 800, 2_000, 4_000];

/**
 * For what the ledger does once per id. Who loses the answer cannot tell whether it was done, so it is asked again under
 * the same id, and then finds what it did.
 */
export async function askSurely<T>(ask: () => Promise<T>, pausesMs = PAUSES_MS): Promise<T> {
  let isUnknown = false;
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      // A refusal speaks for its own try alone, and not for one before it whose answer was lost.
      if (!isUnknown && isRefusedStatement(error)) throw error;
      isUnknown = true;
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined) throw outcomeUnknown(error);
      await Bun.sleep(pauseMs);
    }
  }
}

function outcomeUnknown(error: unknown): Error {
  const cause = messageOf(error).replace(/\.$/, "");
  return failed(
    `The database did not answer (${cause}). Outcome unknown: look at the ledger before you repeat it.`,
  );
}
