import pg from "pg";
import { messageOf, present } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { isDatabaseAway, ReadOnlyDatabaseError } from "./is-away.ts";
import { keepsSessions } from "./kept-sessions.ts";

/**
 * The server that DATABASE_URL names cannot be reached, or not written to: one sentence for the operator, with the
 * cause attached.
 */
export class UnreachableDatabaseError extends Error {
  override name = "UnreachableDatabaseError";
}

/** Names the encoding explicitly; only `template0` allows one that differs from the template's. */
export const HOW_TO_MAKE = "`create database … encoding 'UTF8' template template0`";

/**
 * Other encodings cannot store every text, and PostgreSQL would report that only when it records a call that was
 * already made.
 */
export class DatabaseEncodingError extends Error {
  override name = "DatabaseEncodingError";
  constructor(readonly encoding: string) {
    super(
      `The database that DATABASE_URL names has the encoding ${encoding}, and Bursar needs UTF8: make one with ${HOW_TO_MAKE}.`,
    );
  }
}

/** LISTEN, locks, prepared statements and settings belong to the session: if it is shared, none of them is reliable. */
export class PooledSessionsError extends Error {
  override name = "PooledSessionsError";
  constructor(url: string) {
    super(
      `${serverAt(url)} is behind a pooler that does not keep sessions, and Bursar needs them: set \`pool_mode = session\` there, or name the server itself.`,
    );
  }
}

/** A pooler whose sessions are all in use accepts the connection and replies minutes later. */
const QUESTION_MS = 3_000;

/** Checks at startup, rather than at the first call, that an external server can be used at all. */
export async function requireUsable({
  pool,
  url,
  connect,
  withinMs = QUESTION_MS,
  isToServe = false,
}: {
  readonly pool: pg.Pool;
  readonly url: string;
  connect(signal?: AbortSignal): Promise<pg.Client>;
  readonly withinMs?: number;
  /** False for commands that may only read, such as a backup. */
  readonly isToServe?: boolean;
}): Promise<void> {
  const { encoding, isReadOnly } = await ask(pool).catch((error: unknown) => {
    throw new UnreachableDatabaseError(unreachableText(url, error), { cause: error });
  });
  if (encoding !== "UTF8") throw new DatabaseEncodingError(encoding);
  if (isReadOnly && isToServe)
    throw new UnreachableDatabaseError(`${serverAt(url)} takes no writes.`, {
      cause: new ReadOnlyDatabaseError(),
    });
  // If the server has no connection to spare for this check, nothing is known about it, and it may well be fine.
  const signal = AbortSignal.timeout(withinMs);
  if (!(await keepsSessions(connect, signal).catch(() => true))) throw new PooledSessionsError(url);
}

/** About as long as a server takes to start; after that it is up to a supervisor that restarts us. */
const AWAIT_MS = 30_000;
const AGAIN_MS = 250;

/**
 * Like `requireUsable`, and also requires that the server accepts writes; for one that may be about to start or to take
 * over. Retried while it is away, but not if it refuses us.
 */
export async function awaitUsable(
  database: Omit<Parameters<typeof requireUsable>[0], "isToServe">,
  { until, log }: { readonly until: Promise<unknown>; readonly log: Log },
): Promise<void> {
  const lastMs = performance.now() + AWAIT_MS;
  let isEnded = false;
  void until.then(() => {
    isEnded = true;
  });
  for (let attempt = 1; ; attempt++) {
    try {
      return await requireUsable({ ...database, isToServe: true });
    } catch (error) {
      if (!isDatabaseAway(error) || isEnded || performance.now() > lastMs) throw error;
      if (attempt === 1) log.warn("database_awaited", { error: messageOf(error), up_to_ms: AWAIT_MS });
    }
    await Promise.race([until, Bun.sleep(AGAIN_MS)]);
  }
}

type Answers = { readonly encoding: string; readonly isReadOnly: boolean };

const ASK = `select current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only')::boolean as "isReadOnly"`;

async function ask(pool: pg.Pool): Promise<Answers> {
  const client = await pool.connect();
  // Connections to a read-only server are not kept: the next one may reach the server that has taken over.
  let isKept = false;
  try {
    const { rows } = await client.query<Answers>(ASK);
    const answers = present(rows[0], "the database's answers");
    isKept = !answers.isReadOnly;
    return answers;
  } finally {
    client.release(!isKept);
  }
}

function unreachableText(url: string, error: unknown): string {
  const verb = error instanceof pg.DatabaseError ? "refuses Bursar" : "cannot be reached";
  return `${serverAt(url)} ${verb}: ${messageOf(error).replace(/\.$/, "")}.`;
}

function serverAt(url: string): string {
  const { host, port } = parametersOf(url);
  return `The PostgreSQL at ${host.startsWith("/") ? host : `${host}:${port}`} (DATABASE_URL)`;
}

/** What the driver parses from a URL; missing from its types. */
type Place = { readonly host: string; readonly port: number };

/** Uses a client that is never connected. */
export function parametersOf(url: string): Place {
  const client = new pg.Client({ connectionString: url });
  return (client as unknown as { connectionParameters: Place }).connectionParameters;
}
