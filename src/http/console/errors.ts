import type { Database } from "../../db/index.ts";
import { AppError, newId, raceSignal } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { messagePage } from "./message-page.ts";
import { pageReply, type Reply, retryLater } from "./reply.ts";

const TITLES: Readonly<Record<number, string>> = {
  404: "There is nothing here",
  405: "That does not work here",
  408: "That took too long",
  413: "That was too much",
  500: "Something went wrong",
  503: "One moment, please",
};

export type ErrorContext = { db: Database; log: Log };

const DATABASE_ANSWER_MS = 2_000;

/** Public messages only. What is no `AppError` is our own fault: the log gets all of it, the page a reference. */
export async function errorReply(error: unknown, context: ErrorContext): Promise<Reply> {
  const known = error instanceof AppError ? error : await faultOf(error, context);
  const { retryAfterSeconds } = known.options;
  const title = TITLES[known.status] ?? "That did not work";
  const reply = pageReply(messagePage({ title, text: known.message }), known.status);
  return retryAfterSeconds === undefined ? reply : retryLater(reply, retryAfterSeconds);
}

/** The accounts library hides what went wrong behind an error of its own, so the database itself is asked. */
async function faultOf(error: unknown, { db, log }: ErrorContext): Promise<AppError> {
  const reference = newId();
  log.error("console_failed", { reference, error });
  const answered = raceSignal(db.isReachable(), AbortSignal.timeout(DATABASE_ANSWER_MS));
  const isReachable = await answered.then(
    () => true,
    () => false,
  );
  if (!isReachable) {
    const text = "The database does not answer. Try again in a moment.";
    return new AppError("internal_error", text, { status: 503, retryAfterSeconds: 5, cause: error });
  }
  const text = `Something went wrong on our side. Try again; if it stays, report it with this reference: ${reference}`;
  return new AppError("internal_error", text, { cause: error });
}

export function notFound(): AppError {
  return new AppError("validation_error", "There is no such page.", { status: 404 });
}
