import { AppError, newId } from "../../kit/index.ts";
import type { Log } from "../../telemetry/index.ts";
import { messagePage } from "./message-page.ts";
import { pageReply, type Reply, retryLater } from "./reply.ts";

const TITLES: Readonly<Record<number, string>> = {
  404: "There is nothing here",
  405: "That does not work here",
  408: "That took too long",
  413: "That was too much",
  503: "One moment, please",
};

/** Public messages only. What is no `AppError` is our own fault: the log gets all of it, the page a reference. */
export function errorReply(error: unknown, log: Log): Reply {
  if (!(error instanceof AppError)) return faultReply(error, log);
  if (error.status >= 500) log.error("console_failed", { error });
  const { retryAfterSeconds } = error.options;
  const reply = pageReply(
    messagePage({ title: TITLES[error.status] ?? "That did not work", text: error.message }),
    error.status,
  );
  return retryAfterSeconds === undefined ? reply : retryLater(reply, retryAfterSeconds);
}

function faultReply(error: unknown, log: Log): Reply {
  const reference = newId();
  log.error("console_failed", { reference, error });
  const text = `Something went wrong on our side. Try again; if it stays, report it with this reference: ${reference}`;
  return pageReply(messagePage({ title: "Something went wrong", text }), 500);
}

export function notFound(): AppError {
  return new AppError("validation_error", "There is no such page.", { status: 404 });
}
