/** Stands for a count that was not reported where the library takes no event without it: no server reports it. */
export const UNREPORTED = Number.MIN_SAFE_INTEGER;

/**
 * Stands for a count that is no number: the library would drop the whole event. Negative in every sum that it becomes part
 * of, so that nobody believes the report.
 */
export const NO_NUMBER = -(2 ** 40);

/** A count that the library takes; null and absence stay what they are. */
export function readableCount(given: unknown): number | null | undefined {
  return given === undefined || given === null || typeof given === "number" ? given : NO_NUMBER;
}

/** Whether a sum has a count in it that was never reported. */
export function isUnreported(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens < UNREPORTED / 2;
}
