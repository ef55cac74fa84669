import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../../db/index.ts";

type Pool = Database["pool"];
type Client = Parameters<Parameters<Database["transaction"]>[0]>[0];
type Connection = Pick<Client, "query" | "release">;
type Place = { connection: Connection | null };

/**
 * The database as the accounts library sees it, which knows nothing of our transactions: whatever it is asked for
 * within one goes over that transaction's connection, and is undone with the rest.
 */
export type AccountsPool = {
  readonly pool: Pick<Pool, "end" | "options"> & { connect(): Promise<Connection> };
  /** All that `work` asks of the library, and writes by `client`, or nothing of it. */
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
          // The library swallows some; the commit would fail as well, but could not say why.
          if (failures.length > 0) throw failures[0];
          return done;
        } finally {
          // What the library may still do later must not get into the next one's transaction.
          place.connection = null;
        }
      }),
  };
}

/** Giving it back is for whoever began the transaction. */
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
