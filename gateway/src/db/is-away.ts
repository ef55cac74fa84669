import { NOT_CONNECTED } from "../kit/index.ts";

/** SQLSTATE of a write on a standby or on a server set to read-only. */
const READ_ONLY = "25006";
/** SQLSTATE if the server's connection limit, or that of our role, is reached; sent before any statement can be. */
const NO_CONNECTION_LEFT = "53300";
/** SQLSTATEs of a server that is down, starting, stopping, out of connections, or read-only. */
const AWAY_STATES = new RegExp(`^(08...|57P0[123]|${NO_CONNECTION_LEFT}|${READ_ONLY})$`);
/**
 * System error codes: no connection was made, or it was lost. A host name may have no address while its server moves or
 * is starting.
 */
const AWAY_CODES = new Set([...NOT_CONNECTED, "ECONNRESET", "EPIPE", "ETIMEDOUT"]);
/** Driver errors that have no code. */
const AWAY_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Client has encountered a connection error",
];
const MAX_CAUSES = 5;

/**
 * True if the error means that the database cannot be reached or written to, and says nothing about the statement
 * itself.
 */
export function isDatabaseAway(error: unknown): boolean {
  return (
    statesIn(error).some(saysAway) ||
    causesOf(error).some(
      (cause) => AWAY_MESSAGES.some((known) => cause.message.startsWith(known)) || isMissingSocket(cause),
    )
  );
}

function saysAway(state: string): boolean {
  return AWAY_STATES.test(state) || AWAY_CODES.has(state);
}

/** A local server removes its Unix socket when it stops. */
function isMissingSocket(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "ENOENT" && syscall === "connect";
}

/**
 * The server itself does not know whether the commit succeeded; with any other state that it returns, nothing was
 * committed.
 */
const COMPLETION_UNKNOWN = "40003";
/** No SQLSTATE begins with an E, while all system error codes do. */
const SERVER_STATE = /^(?!E)[0-9A-Z]{5}$/;

/** True if the server replied that it did not execute the statement. */
export function isRefusedStatement(error: unknown): boolean {
  // In other cases of being away, the connection may have been lost while the statement was executing.
  if (isDatabaseAway(error)) return isReadOnly(error) || isOutOfConnections(error);
  return statesIn(error).some((state) => SERVER_STATE.test(state) && state !== COMPLETION_UNKNOWN);
}

/** True if the server replied that it is read-only: after a failover the address leads to another server. */
export function isReadOnly(error: unknown): boolean {
  return statesIn(error).includes(READ_ONLY);
}

/** True if the server, or its limit for our role, allows no further connection. */
export function isOutOfConnections(error: unknown): boolean {
  return statesIn(error).includes(NO_CONNECTION_LEFT);
}

/** A standby after a failover, or a server set to read-only: it answers, but no call can be charged. */
export class ReadOnlyDatabaseError extends Error {
  override name = "ReadOnlyDatabaseError";
  /** The code that the server itself would return for a write. */
  readonly code = READ_ONLY;
  constructor() {
    super("The database takes no writes.");
  }
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}

function statesIn(error: unknown): string[] {
  const causes = causesOf(error) as { code?: unknown }[];
  return causes.map(({ code }) => code).filter((state) => typeof state === "string");
}
