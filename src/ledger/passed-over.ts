import { isDatabaseAway } from "../db/index.ts";

/** Of one run at most: each may wait for its account's lock for seconds. */
const MAX_PASSED_OVER = 30;

/** Organizations that a run could not serve, because of a lock or of books that do not fit. */
export type PassedOver = {
  readonly orgIds: readonly string[];
  /** Null where the work failed: the run goes on with the next organization, unless there is no sense in it. */
  attempt<T>(orgId: string, work: () => Promise<T>): Promise<T | null>;
  /** Fails where anybody was passed over, so that the run is counted as failed and soon tried again. */
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
