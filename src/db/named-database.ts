import pg from "pg";
import { messageOf, present } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { isDatabaseAway, ReadOnlyDatabaseError } from "./is-away.ts";
import { keepsSessions } from "./kept-sessions.ts";
import { parametersOf } from "./lane-options.ts";

/** No connection to the server that DATABASE_URL names, or none to write by: one sentence for the operator, its cause beside it. */
export class UnreachableDatabaseError extends Error {
  override name = "UnreachableDatabaseError";
}

/** What keeps a database of another encoding from being made by the same command. */
export const HOW_TO_MAKE = "`create database … encoding 'UTF8' template template0`";

/** In another encoding some texts have no place, and PostgreSQL says so only when a call that has been made is written down. */
export class DatabaseEncodingError extends Error {
  override name = "DatabaseEncodingError";
  constructor(readonly encoding: string) {
    super(
      `The database that DATABASE_URL names has the encoding ${encoding}, and Bursar needs UTF8: make one with ${HOW_TO_MAKE}.`,
    );
  }
}

/** LISTEN, locks, prepared statements and settings are the session's: with others' in between, none of them holds. */
export class PooledSessionsError extends Error {
  override name = "PooledSessionsError";
  constructor(url: string) {
    super(
      `${serverAt(url)} is behind a pooler that does not keep sessions, and Bursar needs them: set \`pool_mode = session\` there, or name the server itself.`,
    );
  }
}

/** A pooler whose sessions are all in use lets one in and answers minutes later. */
const QUESTION_MS = 3_000;

/** Whether somebody's own server can be used at all, found out at the start and not by the first call. */
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
  /** Whoever does not may only want to read, as a backup does. */
  readonly isToServe?: boolean;
}): Promise<void> {
  const { encoding, is_read_only: isReadOnly } = await ask(pool).catch((error: unknown) => {
    throw new UnreachableDatabaseError(unreachableText(url, error), { cause: error });
  });
  if (encoding !== "UTF8") throw new DatabaseEncodingError(encoding);
  if (isReadOnly && isToServe)
    throw new UnreachableDatabaseError(`${serverAt(url)} takes no writes.`, {
      cause: new ReadOnlyDatabaseError(),
    });
  // Of a server that has no connection to spare for the question nothing is known, and it may be a good one.
  const signal = AbortSignal.timeout(withinMs);
  if (!(await keepsSessions(connect, signal).catch(() => true))) throw new PooledSessionsError(url);
}

/** As long as a server takes to start; a supervisor who starts us again does the rest. */
const AWAIT_MS = 30_000;
const AGAIN_MS = 250;

/**
 * The same, and whether it takes writes, of one that may be about to start or to take over: asked again while it is
 * away, not where it refuses.
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

type Answers = { readonly encoding: string; readonly is_read_only: boolean };

const ASK = `select current_setting('server_encoding') as encoding,
  current_setting('transaction_read_only')::boolean as is_read_only`;

async function ask(pool: pg.Pool): Promise<Answers> {
  const client = await pool.connect();
  // Of one that takes no writes no connection is kept: the next may reach the server that has taken over.
  let isKept = false;
  try {
    const { rows } = await client.query<Answers>(ASK);
    const answers = present(rows[0], "the database's answers");
    isKept = !answers.is_read_only;
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
