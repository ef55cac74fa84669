import type pg from "pg";

/**
 * The pool's idle connections. If one connection gets no reply, the idle ones are most likely dead too, and whoever
 * gets one would wait for long; so all are dropped together.
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

/** The driver's own `end` says goodbye and waits for a reply, which a dead connection never sends. */
export function socketOf(client: pg.ClientBase): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}
