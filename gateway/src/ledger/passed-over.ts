import { isDatabaseAway } from "../db/index.ts";

/** Most organizations skipped per run: each may cost seconds of waiting for its account's lock. */
const MAX_PASSED_OVER = 30;

/** Organizations that a run had to skip, because their account was locked or their books are inconsistent. */
export type PassedOver = {
  readonly orgIds: readonly string[];
  /**
   * Null if the work failed: the run goes on with the next organization. Throws if going on is pointless: the database
   * is unreachable, or too many were skipped.
   */
  attempt<T>(orgId: string, work: () => Promise<T>): Promise<T | null>;
  /** Throws if any organization was skipped, so that the run counts as failed and is retried soon. */
  finish(): void;
};

export function createPassedOver(): PassedOver {
  const orgIds: string[] = [];
  let firstError: unknown;

  function finish(): void {
    if (orgIds.length === 0) return;
    throw new Error(`passed over ${orgIds.length}, the first of them ${orgIds[0]}: ${String(firstError)}`, {
      cause: firstError,
    });
  }

  return {
    orgIds,
    finish,
    async attempt(orgId, work) {
      try {
        return await work();
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        firstError ??= error;
        orgIds.push(orgId);
        if (orgIds.length === MAX_PASSED_OVER) finish();
        return null;
      }
    },
  };
}
