import { NOT_CONNECTED } from "../kit/index.ts";

/** Of a standby, and of a server that was told so. */
const READ_ONLY = "25006";
/** Of a server, or of its limit for our role: said before any statement could be. */
const NO_CONNECTION_LEFT = "53300";
/** SQLSTATE classes and codes of a server that is not there, not yet there, going, out of places, or takes no writes. */
const AWAY_STATES = new RegExp(`^(08...|57P0[123]|${NO_CONNECTION_LEFT}|${READ_ONLY})$`);
/** Of the system: no connection was made, or it was lost. A name has no address while its server moves or is yet to start. */
const AWAY_CODES = new Set([...NOT_CONNECTED, "ECONNRESET", "EPIPE", "ETIMEDOUT"]);
/** Of the runtime's driver, of a connection that was refused, not made in time or closed; of the system's code it says nothing. */
const AWAY_LANE = /^ERR_POSTGRES_CONNECTION_/;
/** The drivers say these without a code. */
const AWAY_MESSAGES = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
  "Connection closed",
];
const MAX_CAUSES = 5;

/** Whether an error says that the database cannot be reached, or written to, and nothing of the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  return (
    statesIn(error).some(saysAway) ||
    causesOf(error).some(
      (cause) => AWAY_MESSAGES.some((known) => cause.message.startsWith(known)) || isMissingSocket(cause),
    )
  );
}

function saysAway(state: string): boolean {
  return AWAY_STATES.test(state) || AWAY_CODES.has(state) || AWAY_LANE.test(state);
}

/** A server on a socket of the same machine takes it away when it ends. */
function isMissingSocket(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "ENOENT" && syscall === "connect";
}

/** A commit of which the server itself does not know; all others that it answers with were undone. */
const COMPLETION_UNKNOWN = "40003";
/** None begins with an E, as all of the system's own codes do. */
const SERVER_STATE = /^(?!E)[0-9A-Z]{5}$/;

/** Whether the server answered that it did not do the statement. */
export function isRefusedStatement(error: unknown): boolean {
  // Whoever is away for another reason may have gone while the statement was done.
  if (isDatabaseAway(error)) return isReadOnly(error) || isOutOfConnections(error);
  return statesIn(error).some((state) => SERVER_STATE.test(state) && state !== COMPLETION_UNKNOWN);
}

/** Whether the server answered that it takes no writes: after a failover the address leads to another one. */
export function isReadOnly(error: unknown): boolean {
  return statesIn(error).includes(READ_ONLY);
}

/** Whether the server, or its limit for our role, has no place for another connection. */
export function isOutOfConnections(error: unknown): boolean {
  return statesIn(error).includes(NO_CONNECTION_LEFT);
}

/** A standby after a failover, or a server that was told so: it answers, and no call can be paid for. */
export class ReadOnlyDatabaseError extends Error {
  override name = "ReadOnlyDatabaseError";
  /** As the server itself would say it of a write. */
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

/** The two drivers say a state in different fields. */
function statesIn(error: unknown): string[] {
  const causes = causesOf(error) as { code?: unknown; errno?: unknown }[];
  return causes.flatMap(({ code, errno }) => [code, errno]).filter((state) => typeof state === "string");
}
