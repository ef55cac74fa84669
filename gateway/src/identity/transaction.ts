import type { Database } from "../db/index.ts";
import type { Queryable } from "./organizations/store.ts";

/** Runs inside the caller's transaction if there is one, else in its own. */
export function transact<T>(
  db: Database,
  client: Queryable | undefined,
  work: (client: Queryable) => Promise<T>,
): Promise<T> {
  return client ? work(client) : db.transaction(work);
}
