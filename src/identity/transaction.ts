import type { Database } from "../db/index.ts";
import type { Queryable } from "./organizations/store.ts";

/** In the transaction of whoever asks, where they have one: what else they do in it is done, too, or none of it. */
export function transact<T>(
  db: Database,
  client: Queryable | undefined,
  work: (client: Queryable) => Promise<T>,
): Promise<T> {
  return client ? work(client) : db.transaction(work);
}
