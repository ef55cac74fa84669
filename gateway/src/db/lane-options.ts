import type { SQL } from "bun";
import pg from "pg";
import type { SessionSettings } from "./durable-session.ts";

const CONNECT_TIMEOUT_SECONDS = 5;

/**
 * Settings for the statements of the hot path: a lock that is not free within a second fails the statement, and plans
 * are made once. These tables are accessed by key only, so a plan made while a table was small must not scan it later.
 */
export const LANE_SESSION: SessionSettings = {
  lock_timeout: "1s",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** What the pool's driver parses from a URL; missing from its types. */
type Parameters = {
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | null | undefined;
  readonly database: string | undefined;
  readonly ssl: boolean | Tls;
  readonly options: string | undefined;
  readonly application_name: string;
};

type Tls = { readonly key?: string; readonly [name: string]: unknown };

/**
 * Options for the runtime's driver, taken from what the pool's driver parses from the URL: with two parsers, the paid
 * path might connect to another server, or without TLS.
 */
export function laneOptions(url: string): SQL.Options {
  const { host, port, user, password, database, ssl, options, application_name } = parametersOf(url);
  // The pool's driver takes a socket's folder as the host; this driver needs the path of the socket.
  const address = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { hostname: host.replace(/^\[|\]$/g, ""), port };
  return {
    adapter: "postgres",
    // Without a URL it would read DATABASE_URL itself and send every parameter that it does not know to the server.
    url: "postgres://",
    ...address,
    username: user,
    password: password ?? "",
    database,
    tls: tlsOf(ssl),
    connection: { application_name, ...(options ? { options } : {}) },
    max: 1,
    connectionTimeout: CONNECT_TIMEOUT_SECONDS,
    idleTimeout: 0,
    maxLifetime: 0,
  } as SQL.Options;
}

/** Uses a client that is never connected. */
export function parametersOf(url: string): Parameters {
  const client = new pg.Client({ connectionString: url, application_name: "bursar" });
  return (client as unknown as { connectionParameters: Parameters }).connectionParameters;
}

/** This driver accepts any certificate unless told otherwise. */
function tlsOf(ssl: boolean | Tls): false | Record<string, unknown> {
  if (!ssl) return false;
  if (ssl === true) return { rejectUnauthorized: true };
  // The pool's driver makes `key` non-enumerable, so the spread misses it.
  return { rejectUnauthorized: true, ...ssl, ...(ssl.key === undefined ? {} : { key: ssl.key }) };
}
