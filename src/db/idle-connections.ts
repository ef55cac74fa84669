import type pg from "pg";

/**
 * The pool's connections that nobody uses. When one connection was met by silence, those that rest have most
 * likely died with it, and whoever is handed one would wait for long: they are thrown away together.
 */
type IdleConnections = { drop(): void };

export function watchIdle(pool: pg.Pool): IdleConnections {
  const idle = new Set<pg.PoolClient>();
  pool.on("release", (_error, client) => idle.add(client));
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("remove", (client) => idle.delete(client));
  return {
    drop() {
      for (const client of idle) socketOf(client).destroy();
      idle.clear();
    },
  };
}

/** The driver's own way to end a connection says goodbye and waits for an answer, which is what cannot be had. */
export function socketOf(client: pg.ClientBase): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
