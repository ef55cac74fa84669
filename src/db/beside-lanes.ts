import type { Database } from "./database.ts";

/**
 * The same database by other lanes: for those who would keep the usual ones from everybody else. Most processes never
 * open one.
 */
export function besideLanes(db: Database): Database {
  return { ...db, lane: (name) => db.lane(`${name}_beside`) };
}
