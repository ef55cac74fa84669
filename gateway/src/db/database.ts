import pg from "pg";
import { atMost, ClosedForGood, messageOf, systemClock } from "../kit/index.ts";
import type { Log } from "../telemetry/index.ts";
import { setUpSession } from "./durable-session.ts";
import { openEmbedded } from "./embedded/embedded.ts";
import { createExpectedTime, type ExpectedTime } from "./expected-time.ts";
import { socketOf, watchIdle } from "./idle-connections.ts";
import { isReadOnly, ReadOnlyDatabaseError } from "./is-away.ts";
import { createLane, type Lane } from "./lane.ts";
import { awaitUsable, requireUsable } from "./named-database.ts";

export type Database = {
  /** Named statements are fine. PostgreSQL's bigint is returned as text. */
  readonly pool: pg.Pool;
  readonly url: string;
  /** The time that the database should have. */
  readonly time: ExpectedTime;
  /**
   * A connection outside the pool, for LISTEN and for work that must not wait for the pool. The caller must end it, or
   * abort the signal.
   */
  connect(signal?: AbortSignal): Promise<pg.Client>;
  /** The connection with this name, for sequential statements; see `Lane`. */
  lane(name: string): Lane;
  /**
   * Opens these lanes in order; from now on, `isReachable` reopens any that were lost. Rejects with the name of the
   * first one that gets no connection, for instance because the server's connection limit is too low: better now than
   * at the first call.
   */
  keepOpen(lanes: readonly string[]): Promise<void>;
  /** Commits when the work resolves, rolls back when it throws. */
  transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Rejects if the database does not answer, is read-only, or a lane that is kept open gets no connection. */
  isReachable(): Promise<void>;
  close(): Promise<void>;
};

/** The same database inside a transaction: what nouns do on it commits or not with everything else there. */
export function inTransaction(db: Database, client: pg.PoolClient): Database {
  return { ...db, pool: client as unknown as pg.Pool, transaction: (work) => work(client) };
}

type DatabaseOptions = {
  /** URL of an external server; null for the one that Bursar runs under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  poolSize: number;
  log: Log;
  /** If set, an external server that is not up yet is waited for: for a limited time, at most until this resolves. */
  awaitUntil?: Promise<unknown> | undefined;
};

const CONNECT_TIMEOUT_MS = 5_000;
/** A pooled statement that runs longer is a bug or a jam; long reports use their own connection. */
const STATEMENT_TIMEOUT_MS = 30_000;
const POOL_SESSION = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(STATEMENT_TIMEOUT_MS),
};
/** For work of any duration. */
const UNLIMITED_SESSION = { statement_timeout: "0", idle_in_transaction_session_timeout: "0" };
/** Longer than the server's own limit: reached only if the connection is dead and no reply can come. */
const ANSWER_TIMEOUT_MS = 35_000;
/** True for every transaction on a standby. */
const ASK_READ_ONLY = "select current_setting('transaction_read_only')::boolean as is_read_only";
const CLOSE_TIMEOUT_MS = 5_000;
const IDLE_CONNECTION_MS = 60_000;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl !== null) return openNamed({ ...options, url: options.databaseUrl });
  const server = await openEmbedded({ dataDir: options.dataDir, log: options.log });
  const database = connectDatabase({ ...options, url: server.url });
  return {
    ...database,
    async close() {
      try {
        await database.close();
      } finally {
        await server.leave();
      }
    },
  };
}

async function openNamed(options: ConnectOptions & Pick<DatabaseOptions, "awaitUntil">): Promise<Database> {
  const { awaitUntil: until, log } = options;
  const database = connectDatabase(options);
  try {
    await (until ? awaitUsable(database, { until, log }) : requireUsable(database));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

type ConnectOptions = Pick<DatabaseOptions, "poolSize" | "log"> & { url: string };

/** The pool for a server that is already running; opens no connection by itself. */
export function connectDatabase(options: ConnectOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: "bursar",
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    // The pool waits for this: a connection whose setup fails is never handed out.
    onConnect: (client) => setUpSession(client, POOL_SESSION),
  });
  let isClosed = false;
  // Closing the pool does not wait for its sockets, and the server may stop right after: errors are then expected.
  function reportLost(error: Error): void {
    if (!isClosed) options.log.warn("database_connection_lost", { error: error.message });
  }
  // Without listeners, a broken connection would end the process. The pool reports errors of idle connections only, so
  // each connection needs its own listener; its user notices by the failing query.
  pool.on("error", reportLost);
  pool.on("connect", (client) => client.on("error", () => {}));
  const idle = watchIdle(pool);
  const lanes = new Map<string, Lane>();
  let kept: readonly string[] = [];

  function lane(name: string): Lane {
    if (isClosed) throw new ClosedForGood("the database was closed");
    const known = lanes.get(name) ?? createLane(options.url, idle.drop);
    lanes.set(name, known);
    return known;
  }

  async function openKept(): Promise<void> {
    for (const name of kept) {
      await lane(name)
        .open()
        .catch((error: unknown) => {
          throw new Error(`no connection for ${name}: ${messageOf(error)}`, { cause: error });
        });
    }
  }

  return {
    pool,
    lane,
    keepOpen(names) {
      kept = names;
      return openKept();
    },
    url: options.url,
    time: createExpectedTime(systemClock),
    connect: (signal) => connectAlone(options.url, reportLost, signal),
    transaction: (work) => runTransaction(pool, work),
    async isReachable() {
      const { rows } = await pool.query(ASK_READ_ONLY);
      if (rows[0]?.is_read_only !== true) return openKept();
      idle.drop();
      throw new ReadOnlyDatabaseError();
    },
    // A connection that is never released must not keep the process from ending.
    async close() {
      isClosed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
      if (!(await atMost(pool.end(), CLOSE_TIMEOUT_MS))) options.log.warn("database_connections_kept");
    },
  };
}

async function connectAlone(
  url: string,
  reportLost: (error: Error) => void,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "bursar",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const cut = () => socketOf(client).destroy();
  client.on("error", (error) => {
    if (signal?.aborted !== true) reportLost(error);
  });
  signal?.throwIfAborted();
  signal?.addEventListener("abort", cut, { once: true });
  client.once("end", () => signal?.removeEventListener("abort", cut));
  try {
    await client.connect();
    await setUpSession(client, UNLIMITED_SESSION);
    return client;
  } catch (error) {
    cut();
    throw error;
  }
}

async function runTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query("begin");
    const result = await work(client);
    const { command } = await client.query("commit");
    // If a statement has failed, PostgreSQL rolls back on commit, and only the command tag says so.
    if (command !== "COMMIT") throw new Error("the transaction was undone: one of its statements had failed");
    return result;
  } catch (error) {
    // A connection that cannot even roll back may hold locks, so it must not return to the pool. Nor must one to a
    // read-only server: a new one may reach another server.
    broken = isReadOnly(error);
    await client.query("rollback").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
