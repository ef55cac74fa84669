import pg from "pg";
import { messageOf, present } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { isDatabaseAway } from "./is-away.ts";
import { keepsSessions } from "./kept-sessions.ts";
import { parametersOf } from "./lane-options.ts";

/** No connection to the server that DATABASE_URL names: one sentence for the operator, the driver's words as the cause. */
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
      `The PostgreSQL at ${placeOf(url)} (DATABASE_URL) is behind a pooler that does not keep sessions, and Bursar needs them: set \`pool_mode = session\` there, or name the server itself.`,
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
}: {
  readonly pool: pg.Pool;
  readonly url: string;
  connect(signal?: AbortSignal): Promise<pg.Client>;
  readonly withinMs?: number;
}): Promise<void> {
  const encoding = await loadEncoding(pool).catch((error: unknown) => {
    throw new UnreachableDatabaseError(unreachableText(url, error), { cause: error });
  });
  if (encoding !== "UTF8") throw new DatabaseEncodingError(encoding);
  // Of a server that has no connection to spare for the question nothing is known, and it may be a good one.
  const signal = AbortSignal.timeout(withinMs);
  if (!(await keepsSessions(connect, signal).catch(() => true))) throw new PooledSessionsError(url);
}

/** As long as a server takes to start; a supervisor who starts us again does the rest. */
const AWAIT_MS = 30_000;
const AGAIN_MS = 250;

/** The same of one that may be about to start: asked again while it is away, not where it refuses. */
export async function awaitUsable(
  database: Parameters<typeof requireUsable>[0],
  { until, log }: { readonly until: Promise<unknown>; readonly log: Log },
): Promise<void> {
  const lastMs = performance.now() + AWAIT_MS;
  let isEnded = false;
  void until.then(() => {
    isEnded = true;
  });
  for (let attempt = 1; ; attempt++) {
    try {
      return await requireUsable(database);
    } catch (error) {
      if (!isDatabaseAway(error) || isEnded || performance.now() > lastMs) throw error;
      if (attempt === 1) log.warn("database_awaited", { error: messageOf(error), up_to_ms: AWAIT_MS });
    }
    await Promise.race([until, Bun.sleep(AGAIN_MS)]);
  }
}

async function loadEncoding(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  return present(rows[0], "the database's encoding").encoding;
}

function unreachableText(url: string, error: unknown): string {
  const verb = error instanceof pg.DatabaseError ? "refuses Bursar" : "cannot be reached";
  return `The PostgreSQL at ${placeOf(url)} (DATABASE_URL) ${verb}: ${messageOf(error).replace(/\.$/, "")}.`;
}

function placeOf(url: string): string {
  const { host, port } = parametersOf(url);
  return host.startsWith("/") ? host : `${host}:${port}`;
}
