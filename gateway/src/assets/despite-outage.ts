import { isDatabaseAway } from "../db/index.ts";
import { atMost, Backoff, systemClock } from "../kit/index.ts";

/**
 * Repeats `ask` while the database is unavailable, or whatever `isOutage` recognizes, for at most `forMs`. Its other
 * errors are thrown at once. Only for what may be done twice: an attempt whose answer was lost may have succeeded.
 */
export async function despiteOutage<T>(
  forMs: number,
  ask: () => Promise<T>,
  isOutage: (error: unknown) => boolean = isDatabaseAway,
): Promise<T> {
  const backoff = new Backoff(forMs, systemClock);
  for (;;) {
    try {
      const asked = ask();
      if (await atMost(asked, backoff.leftMs())) return await asked;
      throw new Error("no answer in time");
    } catch (error) {
      const pauseMs = isOutage(error) ? backoff.nextPauseMs() : null;
      if (pauseMs === null) throw error;
      await Bun.sleep(pauseMs);
    }
  }
}
