import type { SQL } from "bun";
import pg from "pg";
import type { SessionSettings } from "./durable-session.ts";

const CONNECT_TIMEOUT_SECONDS = 5;

/**
 * Of the hot path's statements: a lock that is not had within a second is refused, and plans are made once.
 * Their tables are asked by key only, so a plan made while a table was still small must not scan it later.
 */
export const LANE_SESSION: SessionSettings = {
  lock_timeout: "1s",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** What the pool's driver makes of an address; its types leave it out. */
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
 * The runtime's driver, told what the pool's driver reads in the address: two readers would differ, and the paid path
 * would go to another place, or in the clear.
 */
export function laneOptions(url: string): SQL.Options {
  const { host, port, user, password, database, ssl, options, application_name } = parametersOf(url);
  // The pool's driver takes a socket's folder for the host; this one wants the socket's path.
  const address = host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { hostname: host.replace(/^\[|\]$/g, ""), port };
  return {
    adapter: "postgres",
    // Without one it would read DATABASE_URL by itself, and tell the server every word in it that it does not know.
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

/** A client that is never connected. */
export function parametersOf(url: string): Parameters {
  const client = new pg.Client({ connectionString: url, application_name: "bursar" });
  return (client as unknown as { connectionParameters: Parameters }).connectionParameters;
}

/** This driver believes any certificate unless it is told not to. */
function tlsOf(ssl: boolean | Tls): false | Record<string, unknown> {
  if (!ssl) return false;
  if (ssl === true) return { rejectUnauthorized: true };
  // The pool's driver hides the key from whoever lists the fields.
  return { rejectUnauthorized: true, ...ssl, ...(ssl.key === undefined ? {} : { key: ssl.key }) };
}
