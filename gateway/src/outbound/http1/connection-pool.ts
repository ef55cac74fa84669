import { Connection, type ConnectionOptions } from "./connection.ts";
import type { Target } from "./target.ts";

/** Most idle connections to one origin; beyond it, connections are closed after use. */
const MOST_IDLE = 512;
/** Shorter than most providers' keep-alive: a connection that we close first is never found dead on reuse. */
const IDLE_MS = 30_000;
const LOOKS_IN_THAT_TIME = 6;

/** Connections that have carried a request and can carry another. */
export class ConnectionPool {
  readonly #idle = new Map<string, Connection[]>();
  readonly #options: ConnectionOptions;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ ca, idleMs = IDLE_MS }: Pick<ConnectionOptions, "ca"> & { readonly idleMs?: number } = {}) {
    this.#idleMs = idleMs;
    this.#options = { ca, onIdleEnd: (connection) => this.#remove(connection) };
  }

  /** The most recently used connection, which is the most likely to be alive. */
  take({ origin }: Target): Connection | null {
    const free = this.#idle.get(origin);
    const connection = free?.pop();
    if (free?.length === 0) this.#idle.delete(origin);
    return connection ?? null;
  }

  /** Not connected yet: see `untilOpen`. */
  open(target: Target): Connection {
    return Connection.open(target, this.#options);
  }

  /** Closes the connection if it cannot be reused. */
  give(connection: Connection): void {
    const { origin } = connection.target;
    const free = this.#idle.get(origin) ?? [];
    if (!connection.isFree || free.length >= MOST_IDLE) {
      connection.close();
      return;
    }
    connection.rest();
    connection.idleSinceMs = performance.now();
    free.push(connection);
    this.#idle.set(origin, free);
    this.#timer ??= this.#startLooking();
  }

  #startLooking(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => this.#look(), this.#idleMs / LOOKS_IN_THAT_TIME);
    timer.unref();
    return timer;
  }

  #look(): void {
    const before = performance.now() - this.#idleMs;
    for (const free of [...this.#idle.values()])
      for (const connection of free.filter(({ idleSinceMs }) => idleSinceMs < before)) {
        this.#remove(connection);
        connection.close();
      }
    if (this.#idle.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #remove(connection: Connection): void {
    const { origin } = connection.target;
    const free = this.#idle.get(origin)?.filter((each) => each !== connection) ?? [];
    if (free.length === 0) this.#idle.delete(origin);
    else this.#idle.set(origin, free);
  }
}
