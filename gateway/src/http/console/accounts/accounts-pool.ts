import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../../db/index.ts";

type Pool = Database["pool"];
type Client = Parameters<Parameters<Database["transaction"]>[0]>[0];
type Connection = Pick<Client, "query" | "release">;
type Place = { connection: Connection | null };

/**
 * The database as the accounts library sees it. The library does not know our transactions: its queries within one go
 * over that transaction's connection, and are rolled back with the rest.
 */
export type AccountsPool = {
  readonly pool: Pick<Pool, "end" | "options"> & { connect(): Promise<Connection> };
  /** Runs `work` in one transaction: what the library and `client` do in it is committed together or not at all. */
  together<T>(work: (client: Client) => Promise<T>): Promise<T>;
};

export function createAccountsPool(db: Database): AccountsPool {
  const places = new AsyncLocalStorage<Place>();
  return {
    pool: {
      connect: async () => places.getStore()?.connection ?? db.pool.connect(),
      end: () => db.pool.end(),
      get options() {
        return db.pool.options;
      },
    },
    together: (work) =>
      db.transaction(async (client) => {
        const failures: unknown[] = [];
        const place: Place = { connection: connectionOf(client, failures) };
        try {
          const done = await places.run(place, () => work(client));
          // The library swallows some errors; the commit would fail as well, but could not say why.
          if (failures.length > 0) throw failures[0];
          return done;
        } finally {
          // Anything that the library still does later must not end up in another transaction.
          place.connection = null;
        }
      }),
  };
}

/** `release` does nothing: whoever began the transaction returns the connection. */
function connectionOf(client: Client, failures: unknown[]): Connection {
  const forward = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  async function query(...given: unknown[]): Promise<unknown> {
    try {
      return await forward(...given);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }
  return { query: query as Client["query"], release() {} };
}
