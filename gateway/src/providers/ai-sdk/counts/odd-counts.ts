/**
 * Stands for an unreported count in events that the library does not accept without it. No server reports this value.
 */
export const UNREPORTED = Number.MIN_SAFE_INTEGER;

/**
 * Stands for a count that is not a number, for which the library would drop the whole event. It makes every sum
 * negative, so the report is not believed.
 */
export const NO_NUMBER = -(2 ** 40);

/** A count that the library accepts; null and undefined stay as they are. */
export function readableCount(given: unknown): number | null | undefined {
  return given === undefined || given === null || typeof given === "number" ? given : NO_NUMBER;
}

/** Whether a sum includes a count that was never reported. */
export function isUnreported(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens < UNREPORTED / 2;
}
