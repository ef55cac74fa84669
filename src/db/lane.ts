import { SQL } from "bun";

/**
 * One connection for statements that follow each other and are safe to repeat: the path of a paid call. It
 * uses the runtime's own driver, which takes half the CPU of the pool's. Opened when first needed. An answer
 * that does not come in time fails the statement and takes the connection with it, since a link that
 * swallows everything is found out by asking again on a new one.
 */
export type Lane = {
  /** Prepared on first use. PostgreSQL's bigint comes back as text. */
  query<Row>(text: string, values: unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_SECONDS = 5;
/** Locks are waited for at most a second. An answer that takes longer than this is better asked for again. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Of the hot path's statements: a lock that is not had within a second is refused, and plans are made once.
 * Their tables are asked by key only, so a plan made while a table was still small must not scan it later.
 */
const SESSION = {
  application_name: "bursar",
  lock_timeout: "1s",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** `onSilence` is told when an answer did not come in time: the link itself is in doubt. */
export function createLane(url: string, onSilence: () => void = () => {}): Lane {
  let sql: SQL | null = null;
  let isClosed = false;

  /** Of the connection that was asked: another may have taken its place since. */
  function giveUp(silent: SQL): void {
    onSilence();
    if (sql === silent) sql = null;
    void silent.close({ timeout: 0 }).catch(() => {});
  }

  return {
    async query<Row>(text: string, values: unknown[]) {
      if (isClosed) throw new Error("the database was closed");
      sql ??= new SQL(laneOptions(url));
      const timer = setTimeout(giveUp, ANSWER_TIMEOUT_MS, sql);
      try {
        return (await sql.unsafe(text, values)) as readonly Row[];
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      isClosed = true;
      const closing = sql;
      sql = null;
      await closing?.close({ timeout: 1 });
    },
  };
}

/** The pool's driver writes a socket's folder as the host; this one wants the socket's path. */
function laneOptions(url: string): SQL.Options {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const host = decodeURIComponent(searchParams.get("host") ?? hostname);
  const portNumber = port === "" ? 5432 : Number(port);
  const address = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${portNumber}` }
    : { hostname: host.replace(/^\[|\]$/g, ""), port: portNumber };
  return {
    adapter: "postgres",
    ...address,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    tls: tlsOf(searchParams.get("sslmode")),
    connection: SESSION,
    max: 1,
    connectionTimeout: CONNECT_TIMEOUT_SECONDS,
    idleTimeout: 0,
    maxLifetime: 0,
  } as SQL.Options;
}

/** As the pool's driver reads `sslmode`. */
function tlsOf(mode: string | null): boolean | { rejectUnauthorized: boolean } {
  if (mode === null || mode === "disable") return false;
  return mode === "no-verify" ? { rejectUnauthorized: false } : true;
}
