/** SQLSTATE classes and codes of a server that is not there, not yet there, going, or out of places. */
const AWAY_STATES = /^(08...|57P0[123]|53300)$/;
const AWAY_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"]);
/** The driver says these without a code. */
const AWAY_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Connection closed",
];
const MAX_CAUSES = 5;

/** Whether an error says that the database cannot be reached, and nothing of the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (AWAY_STATES.test(code) || AWAY_CODES.has(code)) return true;
    const { message } = current;
    if (AWAY_MESSAGES.some((known) => message.startsWith(known))) return true;
    current = current.cause;
  }
  return false;
}
