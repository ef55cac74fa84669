import { AskError } from "./ask.ts";

const MOST_TRIES = 5;

/** Retries requests that were rate-limited after the given delay; any other failure is shown at once. */
export const waitAndAsk = {
  retry: (failures: number, error: Error): boolean =>
    error instanceof AskError && error.problem.code === "too_many" && failures < MOST_TRIES,
  retryDelay: (_failures: number, error: Error): number =>
    1000 * ((error instanceof AskError && error.problem.retryAfterSeconds) || 1),
};
