import type { Database } from "../../../db/index.ts";
import { AppError, newId, raceSignal } from "../../../kit/index.ts";
import type { Log } from "../../../telemetry/index.ts";
import type { Problem } from "../contract.ts";
import { ConsoleProblem } from "./problem.ts";

const DATABASE_ANSWER_MS = 2_000;

/** Public messages only. An unexpected error is our own bug: the log gets all details, the page a reference. */
export async function problemOf(
  error: unknown,
  { db, log }: { db: Database; log: Log },
): Promise<{ readonly status: number; readonly problem: Problem }> {
  if (error instanceof ConsoleProblem) return { status: error.status, problem: error.problem };
  if (error instanceof AppError && error.status < 500) {
    const { field } = error.options;
    const problem = { code: "invalid", message: error.message, ...(field ? { field } : {}) } as const;
    return { status: error.status, problem };
  }
  const reference = newId();
  const away = await whyAway(db);
  log.error("console_failed", { reference, error, ...(away === null ? {} : { database: away }) });
  if (away !== null) {
    const message = "The database is not available. Try again in a moment.";
    return { status: 503, problem: { code: "busy", message, retryAfterSeconds: 5 } };
  }
  const message = `Something went wrong on our side. Try again; if it keeps happening, report it with this reference: ${reference}`;
  return { status: 500, problem: { code: "failed", message } };
}

/** The accounts library wraps errors in its own, so the database itself is asked. Null if it answers. */
async function whyAway(db: Database): Promise<string | null> {
  const answered = raceSignal(db.isReachable(), AbortSignal.timeout(DATABASE_ANSWER_MS));
  return answered.then(
    () => null,
    (error: unknown) => String(error),
  );
}
