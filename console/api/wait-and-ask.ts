import { AskError } from "./ask.ts";

const MOST_TRIES = 5;

/** What was only asked for too often comes by itself a moment later; whatever else fails is shown at once. */
export const waitAndAsk = {
  retry: (failures: number, error: Error): boolean =>
    error instanceof AskError && error.problem.code === "too_many" && failures < MOST_TRIES,
  retryDelay: (_failures: number, error: Error): number =>
    1000 * ((error instanceof AskError && error.problem.retryAfterSeconds) || 1),
};
